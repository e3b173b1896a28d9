-- One emoji that a person has chosen as face.
alter table users add column face text;
-- Until then the person's posts say that they are new here. Not for imported people and accounts of earlier versions.
alter table users add column newcomer_until integer;
