-- One emoji that a person has chosen as face.
alter table users add column face text;
-- Posts of a person say until this time that the person is new here. Null for imported people and accounts of earlier versions.
alter table users add column newcomer_until integer;
