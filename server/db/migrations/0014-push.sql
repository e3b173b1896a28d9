-- Subscriptions of browsers to messages about notifications. A session has at most one, which ends with the session.
create table push_subscriptions (
  session_id integer primary key references sessions (id) on delete cascade,
  user_id integer not null,
  endpoint text not null unique, -- of the service that the browser has chosen
  p256dh text not null, -- the browser's public key
  auth text not null,
  hides_text int4 not null
) strict;

create index push_subscriptions_by_user on push_subscriptions (user_id);

-- Messages to send: at most one for each session and discussion.
create table pushes (
  session_id integer not null references push_subscriptions (session_id) on delete cascade,
  root_post_id integer not null,
  post_id integer, -- the newest one; null: it was sent, and the next one waits until due_at
  due_at integer not null,
  tries int4 not null default 0,
  primary key (session_id, root_post_id)
) strict;

create index pushes_by_time on pushes (due_at);
