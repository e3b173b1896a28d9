-- The authors whom people follow. Root posts of an author with ids above `after_id` are listed for the person.
create table followed_authors (
  user_id integer not null references users (id),
  author_id integer not null references users (id),
  after_id integer not null, -- the newest post at that time, of whomever
  created_at integer not null,
  primary key (user_id, author_id)
) strict, without rowid;
