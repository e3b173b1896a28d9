import type { Post, PostPage, QuotedPost } from '#contract/posts.ts';

/** Posts as they were when something was asked about them. */
export type Shown = ReadonlyMap<string, Post>;

/** Posts by id, once each: what changes in one changes wherever it is shown. */
export function createKeptPosts() {
  const posts = new Map<string, Post>();
  /** Deleted: an answer that was under way must not bring them back. */
  const gone = new Set<string>();

  function keep(post: Post): void {
    if (gone.has(post.id)) return;
    const answered = post.actions.replied_post;
    if (answered) keepQuoted(answered);
    posts.set(post.id, answered && gone.has(answered.id) ? unquoted(post) : post);
  }

  /** A quoted post comes without the post it answers: what is known of that stays. */
  function keepQuoted(quoted: QuotedPost): void {
    if (gone.has(quoted.id)) return;
    const known = posts.get(quoted.id)?.actions.replied_post ?? null;
    posts.set(quoted.id, { ...quoted, actions: { ...quoted.actions, replied_post: known } });
  }

  function alter(id: string, change: (post: Post) => Post): void {
    const post = posts.get(id);
    if (post) posts.set(id, change(post));
  }

  function alterActions(id: string, actions: Partial<Post['actions']>): void {
    alter(id, (post) => ({ ...post, actions: { ...post.actions, ...actions } }));
  }

  return {
    get: (id: string): Post | undefined => posts.get(id),
    isGone: (id: string): boolean => gone.has(id),
    keep,
    alter,
    alterActions,

    /** Whoever wrote these posts has another name now; says whether any of them told the old one. */
    renameOwner(userId: string, username: string): boolean {
      const rename = <Kind extends Pick<Post, 'owner'>>(post: Kind): Kind =>
        post.owner.id === userId && post.owner.username !== username
          ? { ...post, owner: { ...post.owner, username } }
          : post;
      let renamed = false;
      for (const [id, post] of posts) {
        const answered = post.actions.replied_post;
        const quoted = answered && rename(answered);
        const next = quoted === answered ? post : { ...post, actions: { ...post.actions, replied_post: quoted } };
        posts.set(id, rename(next));
        renamed ||= posts.get(id) !== post;
      }
      return renamed;
    },

    /** A page that comes while posts are being deleted. */
    withoutGone: (page: PostPage): PostPage => ({ ...page, posts: page.posts.filter(({ id }) => !gone.has(id)) }),

    /** For good: where it is quoted its place says that it is gone. */
    remove(id: string): void {
      gone.add(id);
      posts.delete(id);
      for (const [other, post] of posts) if (post.actions.replied_post?.id === id) posts.set(other, unquoted(post));
    },

    /**
     * Keeps what was read anew. What was heard or done since it was asked for is newer than the answer; only whether one
     * likes the post is told by nothing else, and it stays as it is where it was pressed meanwhile.
     */
    review(post: Post, before: Shown): void {
      const [known, then] = [posts.get(post.id), before.get(post.id)];
      if (!known || known === then) return keep(post);
      const isUntouched = known.actions.is_liked === then?.actions.is_liked;
      if (isUntouched) alterActions(post.id, { is_liked: post.actions.is_liked });
    },

    /** Forgets all but these and what they answer. */
    keepOnly(ids: readonly string[]): void {
      const needed = new Set(ids);
      for (const id of ids) {
        const answeredId = posts.get(id)?.actions.replied_post_id;
        if (answeredId) needed.add(answeredId);
      }
      for (const id of posts.keys()) if (!needed.has(id)) posts.delete(id);
    },
  };
}

const unquoted = (post: Post): Post => ({ ...post, actions: { ...post.actions, replied_post: null } });
