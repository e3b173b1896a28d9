-- The words that people follow or do not want to see.
create table words (
  user_id integer not null references users (id),
  word text not null, -- as typed, in lower case; a tag begins with #
  kind text not null, -- follow, hide
  lexeme text not null, -- of the search
  primary key (user_id, word)
) strict, without rowid;

create index followed_words on words (lexeme, user_id) where kind = 'follow';
create index notifications_of_words on notifications (user_id, post_id) where kind = 'word';
