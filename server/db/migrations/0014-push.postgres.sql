-- Subscriptions of browsers to messages about notifications. A session has at most one, which ends with the session.
create table push_subscriptions (
  session_id bigint primary key references sessions (id) on delete cascade,
  user_id bigint not null,
  endpoint text not null unique, -- of the service that the browser has chosen
  p256dh text not null, -- the browser's public key
  auth text not null,
  hides_text integer not null
);

create index push_subscriptions_by_user on push_subscriptions (user_id);

-- Messages to send: at most one for each session and discussion.
create table pushes (
  session_id bigint not null references push_subscriptions (session_id) on delete cascade,
  root_post_id bigint not null,
  post_id bigint, -- the newest one; null: it was sent, and the next one waits until due_at
  due_at bigint not null,
  tries integer not null default 0,
  primary key (session_id, root_post_id)
);

create index pushes_by_time on pushes (due_at);
