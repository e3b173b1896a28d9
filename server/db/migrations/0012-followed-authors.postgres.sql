-- The authors whom people follow. Root posts of an author with ids above `after_id` are listed for the person.
create table followed_authors (
  user_id bigint not null references users (id),
  author_id bigint not null references users (id),
  after_id bigint not null, -- the newest post at that time, of whomever
  created_at bigint not null,
  primary key (user_id, author_id)
);
