-- Codes that confirm a device are not used any more. Their mails are deleted because this version cannot write them.
delete from outbox where operation_id in (select id from operations where purpose = 'device');
delete from operations where purpose = 'device';
alter table sessions drop column new_device;
