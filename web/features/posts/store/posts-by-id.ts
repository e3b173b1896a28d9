import type { Owner, Post, QuotedPost } from '#contract/posts.ts';
import { sameUsername } from '#contract/username.ts';
import type { ListPage } from './post-list-state.ts';

/** Posts as they were when a request was sent. */
export type PostSnapshot = ReadonlyMap<string, Post>;

/** Stores each post once, so that a change appears wherever the post is shown. */
export function createPostsById() {
  const posts = new Map<string, Post>();
  /** Ids of deleted posts: a response that was requested earlier must not bring them back. */
  const deleted = new Set<string>();
  let isLikeBusy: (id: string) => boolean = () => false;

  function put(post: Post): void {
    if (deleted.has(post.id)) return;
    const replied = post.actions.replied_post;
    if (replied) putQuoted(replied);
    set(replied && deleted.has(replied.id) ? unquoted(post) : post);
  }

  /** A response that was requested before a like was pressed must not take it back. */
  function set(post: Post): void {
    const known = isLikeBusy(post.id) ? posts.get(post.id) : undefined;
    const { is_liked, likes_count } = known?.actions ?? post.actions;
    const shown = known ? { ...post, actions: { ...post.actions, is_liked, likes_count } } : post;
    // Only lists of root posts name the last reply.
    const lastReply = post.last_reply === undefined ? posts.get(post.id)?.last_reply : post.last_reply;
    posts.set(post.id, lastReply === undefined ? shown : { ...shown, last_reply: lastReply });
  }

  /** A quoted post arrives without the post it replies to. The known one stays. */
  function putQuoted(quoted: QuotedPost): void {
    if (deleted.has(quoted.id)) return;
    const known = posts.get(quoted.id)?.actions.replied_post ?? null;
    set({ ...quoted, actions: { ...quoted.actions, replied_post: known } });
  }

  function alter(id: string, change: (post: Post) => Post): void {
    const post = posts.get(id);
    if (post) posts.set(id, change(post));
  }

  function alterActions(id: string, actions: Partial<Post['actions']>): void {
    alter(id, (post) => ({ ...post, actions: { ...post.actions, ...actions } }));
  }

  /** Inside a discussion the posts come without the ones they reply to. */
  function inThread(post: Post): Post {
    const { replied_post_id: repliedId, replied_post: quoted } = post.actions;
    const replied = quoted ?? (repliedId === null ? undefined : posts.get(repliedId));
    const known = posts.get(post.id)?.actions.replied_post ?? null;
    const shown = replied ? { ...replied, actions: { ...replied.actions, replied_post: null } } : known;
    return { ...post, actions: { ...post.actions, replied_post: shown } };
  }

  return {
    get: (id: string): Post | undefined => posts.get(id),
    /** For `restored-posts.ts`, which is loaded later. */
    byId: posts,
    deleted,
    put,
    /** Called once, with whether the like of a post is being sent. */
    keepLikes: (isBusy: (id: string) => boolean): void => void (isLikeBusy = isBusy),
    inThread,
    putPage({ posts: received, thread }: ListPage): void {
      for (const post of received) put(thread ? inThread(post) : post);
    },
    alter,
    alterActions,

    /** The id of the person with this name, if there is a post of theirs. */
    ownerNamed(username: string): string | undefined {
      for (const { owner } of posts.values()) if (sameUsername(owner.username, username)) return owner.id;
      return undefined;
    },

    /** Returns whether any post had another name. */
    renameOwner({ id: userId, username, display_name }: Owner): boolean {
      const rename = <Kind extends Pick<Post, 'owner'>>(post: Kind): Kind => {
        const { owner } = post;
        const isKnown = owner.username === username && owner.display_name === display_name;
        return owner.id === userId && !isKnown ? { ...post, owner: { id: userId, username, display_name } } : post;
      };
      let renamed = false;
      for (const [id, post] of posts) {
        const replied = post.actions.replied_post;
        const quoted = replied && rename(replied);
        const next = quoted === replied ? post : { ...post, actions: { ...post.actions, replied_post: quoted } };
        posts.set(id, rename(next));
        renamed ||= posts.get(id) !== post;
      }
      return renamed;
    },

    /** For a page that was requested before posts were deleted. */
    withoutDeleted: (page: ListPage): ListPage => ({ ...page, posts: page.posts.filter(({ id }) => !deleted.has(id)) }),

    /** Removes a deleted post for good. Replies to it show that it is deleted. */
    remove(id: string): void {
      deleted.add(id);
      posts.delete(id);
      for (const [other, post] of posts) if (post.actions.replied_post?.id === id) posts.set(other, unquoted(post));
    },

    /**
     * Takes over a post from the server unless it has changed here since the request (`before`): events and own actions
     * are newer than the response. Only the response says whether the person likes the post, so that is taken over even
     * then, unless they have liked or unliked it meanwhile.
     */
    refresh(post: Post, before: PostSnapshot): void {
      const [known, then] = [posts.get(post.id), before.get(post.id)];
      if (!known || known === then) return put(post);
      const isUntouched = known.actions.is_liked === then?.actions.is_liked;
      if (isUntouched) alterActions(post.id, { is_liked: post.actions.is_liked });
    },

    /** Drops all posts but these and the posts they reply to. */
    keepOnly(ids: readonly string[]): void {
      const needed = new Set(ids);
      for (const id of ids) {
        const repliedId = posts.get(id)?.actions.replied_post_id;
        if (repliedId) needed.add(repliedId);
      }
      for (const id of posts.keys()) if (!needed.has(id)) posts.delete(id);
    },
  };
}

const unquoted = (post: Post): Post => ({ ...post, actions: { ...post.actions, replied_post: null } });
