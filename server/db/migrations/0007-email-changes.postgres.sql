-- Changes of an account's address that a link mailed to the address before can undo.
create table email_changes (
  token_hash text primary key,
  user_id bigint not null references users (id),
  email text not null, -- where the link leads back to
  new_email text, -- of an operator's change, until it takes effect when the link expires
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint -- when the link was used
);

create index email_changes_by_user on email_changes (user_id);
create index email_changes_by_address on email_changes (email);
create index email_changes_by_expiry on email_changes (expires_at);
create index waiting_email_changes on email_changes (expires_at) where new_email is not null;

-- 1: opened on a device that the account did not know, and not confirmed by a code since.
alter table sessions add column new_device integer not null default 0;
