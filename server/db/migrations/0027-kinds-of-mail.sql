-- The order in which mails are sent: 0 codes, 1 notices, 2 answers, 3 letters with notifications, 4 letters with the best posts.
alter table outbox add column kind smallint not null default 1;
update outbox set kind = 0 where operation_id is not null;

drop index outbox_by_next_try;
drop index codes_by_next_try;
create index waiting_mails on outbox (kind, next_try_at) where next_try_at is not null;
-- A person has at most one waiting letter of each of these kinds. It is written when it is sent, so it tells of everything until then.
create unique index waiting_letters on outbox (recipient, kind) where kind >= 3 and next_try_at is not null;
