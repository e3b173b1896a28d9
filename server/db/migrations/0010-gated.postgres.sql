-- Posts that have come through the newcomers' gate.
create table gated_posts (
  post_id bigint primary key -- may have been removed since
);
