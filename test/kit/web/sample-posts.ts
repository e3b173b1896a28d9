import type { Changes } from '#contract/live.ts';
import type { Post, PostPage } from '#contract/posts.ts';
import type { ListPage, PostListSource } from '../../../web/features/posts/store/post-list-state.ts';
import { createPostStore, type PostListId } from '../../../web/features/posts/store/post-store.ts';
import { createStoreUpdates } from '../../../web/features/posts/store/store-updates.ts';

/** Makes a post for tests, by Vera, whose id is 7. */
export function samplePost(id: string, { actions, ...fields }: SampleFields = {}): Post {
  return {
    id,
    text: `Запись ${id}`,
    created_at: 0,
    is_modified: false,
    owner: { id: '7', username: 'vera_s', display_name: null, face: null },
    ...fields,
    actions: {
      is_liked: false,
      likes_count: 0,
      replies_count: 0,
      thread_count: null,
      parent_post_id: null,
      replied_post_id: null,
      replied_post: null,
      ...actions,
    },
  };
}

type SampleFields = Partial<Omit<Post, 'actions'>> & { actions?: Partial<Post['actions']> };

/** A reply to `replied`. Like the server, it quotes `replied` without the post that `replied` itself replies to. */
export function sampleReply(id: string, replied: Post): Post {
  const quoted = { ...replied, actions: { ...replied.actions, replied_post: null } };
  return samplePost(id, { actions: { replied_post_id: replied.id, replied_post: quoted } });
}

/** A page of posts, or of sample posts with these ids. */
export function samplePage(posts: ReadonlyArray<Post | string>, next: string | null = null): PostPage {
  const whole = posts.map((post) => (typeof post === 'string' ? samplePost(post) : post));
  return { posts: whole, firstPage: 1, lastPage: 1, total: posts.length, next, previous: null };
}

export function sampleChanges(fields: Partial<Changes>): Changes {
  return { position: '1', reset: false, posts: [], replies: [], changed: [], deleted: [], counts: [], ...fields };
}

/** A post store with its updates from the server, and functions that open its lists and read them. */
export function openStore() {
  const store = createPostStore();
  const updates = createStoreUpdates(store);
  return {
    store,
    updates,
    open: (source: PostListSource, posts: ReadonlyArray<Post | string> = [], next: string | null = null) =>
      store.openList(source, samplePage(posts, next)),
    openThread: (post: Post, replies: readonly Post[] = []) =>
      store.openList(threadOf(post.id), sampleThread(post, replies)),
    apply: (changes: Partial<Changes>, me: string | null = null, isBusy: (id: string) => boolean = () => false) =>
      updates.applyChanges(sampleChanges(changes), me, isBusy),
    ids: (list: PostListId) => store.list(list)?.ids,
    /** The ids of the posts that wait above a list. */
    waiting: (list: PostListId) => store.list(list)?.fresh.map(({ id }) => id),
    actions: (id: string) => store.post(id)!.actions,
  };
}

/** A page of a discussion: the post and direct replies to it. */
export function sampleThread(post: Post, replies: readonly Post[] = [], next: string | null = null): ListPage {
  const branches = replies.map(({ id }) => ({ id, gone: false, replies: [], more: null }));
  const thread = { postId: post.id, order: 'newest', ancestors: [], skipped: 0, replies: branches } as const;
  return { ...samplePage([post, ...replies], next), total: replies.length, thread };
}

export const threadOf = (postId: string) => ({ kind: 'thread', postId, order: 'newest' }) as const;
