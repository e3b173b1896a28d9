-- The authors whom people follow. Their root posts after `after_id` come into the list of what the person follows.
create table followed_authors (
  user_id bigint not null references users (id),
  author_id bigint not null references users (id),
  after_id bigint not null, -- the newest post at that time, of whomever
  created_at bigint not null,
  primary key (user_id, author_id)
);
