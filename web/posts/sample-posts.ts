import type { Changes } from '#contract/events.ts';
import type { Post, PostPage } from '#contract/posts.ts';
import type { PostListId, PostStore } from './post-store.ts';

/** Posts for tests, by Vera, whose id is 7. */
export function samplePost(id: string, { actions, ...fields }: SampleFields = {}): Post {
  return {
    id,
    text: `Запись ${id}`,
    created_at: 0,
    is_modified: false,
    owner: { id: '7', username: 'vera_s' },
    ...fields,
    actions: {
      is_liked: false,
      likes_count: 0,
      replies_count: 0,
      parent_post_id: null,
      replied_post_id: null,
      replied_post: null,
      ...actions,
    },
  };
}

type SampleFields = Partial<Omit<Post, 'actions'>> & { actions?: Partial<Post['actions']> };

/** `answered` as a server quotes it: without the post it answers itself. */
export function sampleReply(id: string, answered: Post): Post {
  const quoted = { ...answered, actions: { ...answered.actions, replied_post: null } };
  return samplePost(id, { actions: { replied_post_id: answered.id, replied_post: quoted } });
}

/** A page of posts by their ids, or of these posts. */
export function samplePage(posts: ReadonlyArray<Post | string>, next: string | null = null): PostPage {
  const whole = posts.map((post) => (typeof post === 'string' ? samplePost(post) : post));
  return { posts: whole, firstPage: 1, lastPage: 1, total: posts.length, next };
}

export function sampleChanges(fields: Partial<Changes>): Changes {
  return { position: '1', reset: false, posts: [], replies: [], changed: [], deleted: [], counts: [], ...fields };
}

/** Which posts wait over a list. */
export function freshIn(store: PostStore, list: PostListId): string[] | undefined {
  return store.list(list)?.fresh.map(({ id }) => id);
}
