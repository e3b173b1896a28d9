import type { Post } from '#contract/posts.ts';

/** The id of the first post of its discussion. */
export const rootIdOf = ({ id, actions }: Post): string => actions.parent_post_id ?? id;
