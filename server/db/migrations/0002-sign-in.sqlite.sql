-- Started sign-ins, registrations and the like. A row lives until its code is used, replaced or too old.
create table operations (
  id text primary key, -- 128 random bits
  purpose text not null,
  email text not null,
  user_id integer references users (id) on delete cascade, -- whose address changes; null at sign-in
  client_token text not null,
  device text not null, -- JSON
  code_hash text not null,
  attempts integer not null default 0,
  created_at integer not null,
  expires_at integer not null
) strict, without rowid;

create index operations_by_address on operations (email, purpose, client_token);
create index operations_by_expiry on operations (expires_at);

-- Mail on its way. What it says is sealed: a code never lies in the database in clear.
create table outbox (
  id integer primary key autoincrement,
  operation_id text unique,
  recipient text not null,
  sealed text not null,
  state text not null default 'sending', -- sending, delayed, accepted, refused
  attempts integer not null default 0,
  next_try_at integer, -- null: nothing more to do
  give_up_at integer not null
) strict;

create index outbox_by_next_try on outbox (next_try_at) where next_try_at is not null;
create index outbox_by_end on outbox (give_up_at);

create table sessions (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  cookie_hash text not null unique,
  client_token text not null,
  device text not null, -- JSON
  created_at integer not null,
  last_active_at integer not null
) strict;

create index sessions_by_user on sessions (user_id, last_active_at);
create index sessions_by_activity on sessions (last_active_at);

-- Browsers that have signed in to an account before.
create table known_devices (
  user_id integer not null references users (id) on delete cascade,
  cookie_hash text not null,
  last_used_at integer not null,
  primary key (user_id, cookie_hash)
) strict, without rowid;

create index known_devices_by_use on known_devices (last_used_at);

-- When each limited thing was done: unix seconds, oldest first, as a JSON list.
create table budgets (
  key text primary key,
  hits text not null,
  expires_at integer not null
) strict, without rowid;

create index budgets_by_expiry on budgets (expires_at);
