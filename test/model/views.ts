import type { ListedPerson } from '#contract/account.ts';
import { limits, serverLimits } from '#contract/limits.ts';
import { repliesClosed } from '#contract/reply-rules.ts';
import type { DiscussedPage, LastReply, Post, PostPage, QuotedPost, ThreadNode } from '#contract/posts.ts';
import {
  expiryOf,
  followedIn,
  type KnownPost,
  newestFirst,
  type Oracle,
  type Person,
  restorableUntil,
  rootOf,
} from './oracle.ts';

/** A request of a person or a visitor, and the expected response. */
export interface View {
  path: string;
  by: Person | undefined;
  /** The expected response. Undefined: NOT_FOUND. */
  due: unknown;
  /** The part of the response that is compared: the wall has other posts and people as well. */
  part?: (json: never, isOurs: (post: Pick<Post, 'owner'>) => boolean) => unknown;
}

type Viewer = Person | undefined;

/** The query of the largest page, which holds a whole list of a sequence. */
const wholeList = `limit=${limits.pageSizeMax}`;

/** Makes the expected responses to the requests of people from the state of the oracle. */
export class Views {
  #oracle: Oracle;
  /** The root posts of other people. */
  #others: number;

  constructor(oracle: Oracle, others: number) {
    this.#oracle = oracle;
    this.#others = others;
  }

  #quoted(post: KnownPost, by: Viewer): QuotedPost {
    const { id, text, at, repliedTo } = post;
    return {
      id,
      text,
      created_at: at,
      ...modified(post),
      owner: post.by.owner,
      actions: {
        is_liked: by?.likes.includes(post) ?? false,
        likes_count: this.#oracle.people.filter(({ likes }) => likes.includes(post)).length,
        replies_count: this.#oracle.repliesTo(post).length,
        thread_count: repliedTo ? null : this.#oracle.repliesIn(post).length,
        parent_post_id: repliedTo ? rootOf(post).id : null,
        replied_post_id: repliedTo?.id ?? null,
        replied_post: null,
        ...(post.isClosed && { is_closed: true as const, closed_by: 'author' as const, rule: repliesClosed }),
      },
    };
  }

  post(post: KnownPost, by: Viewer): Post {
    const { actions, ...quoted } = this.#quoted(post, by);
    const replied = post.repliedTo?.state === 'shown' ? this.#quoted(post.repliedTo, by) : null;
    return { ...quoted, actions: { ...actions, replied_post: replied } };
  }

  /** A post in a list. A root post has its last reply if it has at least three replies of two people and the last one is at most a day old. */
  #listed(post: KnownPost, by: Viewer): Post {
    if (post.repliedTo) return this.post(post, by);
    const replies = this.#oracle.repliesIn(post);
    const [last] = replies;
    const people = new Set(replies.map((reply) => reply.by)).size;
    const isLively = replies.length >= 3 && people >= 2 && this.#oracle.now - last!.at <= limits.lastReplySeconds;
    const shown: LastReply | null = isLively
      ? { id: last!.id, owner: last!.by.owner, text: last!.text, created_at: last!.at }
      : null;
    return { ...this.post(post, by), last_reply: shown };
  }

  #list(path: string, by: Viewer, posts: readonly KnownPost[]): View {
    return { path: `${path}${wholeList}`, by, due: pageOf(posts.map((post) => this.#listed(post, by))) };
  }

  feed(by: Viewer): View {
    const list = this.#list(
      '',
      by,
      this.#oracle.shown(({ repliedTo }) => !repliedTo),
    );
    const { posts, total } = list.due as PostPage;
    const part: View['part'] = (page: PostPage, isOurs) => ({ posts: page.posts.filter(isOurs), total: page.total });
    return { path: `/posts?limit=${total + 1}`, by, due: { posts, total: total + this.#others }, part };
  }

  page(post: KnownPost, by: Viewer): View {
    const mayEdit = post.isGated && by === post.by ? { may_edit: false } : {};
    return unlessMissing(post, { path: `/posts/${post.id}`, by, due: { ...this.post(post, by), ...mayEdit } });
  }

  replies = (post: KnownPost, by: Viewer): View =>
    unlessMissing(post, this.#list(`/posts/${post.id}/replies?`, by, this.#oracle.repliesTo(post)));

  thread(post: KnownPost, by: Viewer): View {
    const way = this.#oracle.placesAbove(post);
    const skipped = Math.max(0, way.length - 1 - serverLimits.threadAncestors);
    const ancestors = way.filter(({ state }, i) => state === 'shown' && (i === 0 || i > skipped));
    const below = this.#oracle.placesBelow(post);
    const due = {
      ancestors: ancestors.map((above) => this.#quoted(above, by)),
      skipped,
      post: this.post(post, by),
      replies: below.toReversed().map((reply) => this.#node(reply, by)),
      total: below.length,
      next: null,
    };
    return unlessMissing(post, { path: `/posts/${post.id}/thread?${wholeList}`, by, due });
  }

  #node(post: KnownPost, by: Viewer): ThreadNode {
    const replies = this.#oracle.placesBelow(post).map((reply) => this.#node(reply, by));
    return { id: post.id, post: post.state === 'shown' ? this.#quoted(post, by) : null, replies, more: null };
  }

  #by = (person: Person, isReply: boolean): KnownPost[] =>
    this.#oracle.shown((post) => post.by === person && Boolean(post.repliedTo) === isReply);

  postsOf = (person: Person, by: Viewer): View =>
    this.#list(`/posts?userId=${person.owner.id}&`, by, this.#by(person, false));

  repliesOf = (person: Person, by: Viewer): View =>
    this.#list(`/posts?filter=replies&userId=${person.owner.id}&`, by, this.#by(person, true));

  /** The search for a word that every text of the model contains. */
  found(person: Person, by: Viewer): View {
    const query = new URLSearchParams({ q: `текст от:${person.owner.username}` });
    const posts = this.#oracle.shown((post) => post.by === person).map((post) => this.post(post, by));
    return { path: `/posts/search?${query}&${wholeList}`, by, due: posts, part: (page: PostPage) => page.posts };
  }

  ownReplies = (by: Person): View => this.#list('/posts/replies?', by, this.#by(by, true));

  liked = (by: Person): View =>
    this.#list('/posts?filter=liked&', by, by.likes.filter(({ state }) => state === 'shown').toReversed());

  user(person: Person, by: Viewer): View {
    const posts_count = this.#by(person, false).length;
    const own = { ...person.owner, about: null, created_at: person.createdAt, posts_count };
    const due = by === undefined ? own : { ...own, is_followed: by.authors.has(person) };
    return { path: `/users/${person.owner.username}`, by, due };
  }

  /** The people with shown posts, by their last ones. The list has other people of the wall as well. */
  people(by: Person): View {
    const lastOf = (person: Person) => this.#oracle.shown((post) => post.by === person).toSorted(newestFirst)[0];
    const due = this.#oracle.people
      .flatMap((person) => lastOf(person) ?? [])
      .toSorted(newestFirst)
      .map((post) => post.by.owner.id);
    const ours = new Set(this.#oracle.people.map(({ owner }) => owner.id));
    const part: View['part'] = ({ people }: { people: ListedPerson[] }) =>
      people.filter(({ id, wrote }) => wrote !== null && ours.has(id)).map(({ id }) => id);
    return { path: `/users?${wholeList}`, by, due, part };
  }

  #pending = (post: KnownPost) => ({ ...written(post), expires_at: expiryOf(post) });

  /** The person's own posts that are not on the wall. */
  withdrawn(by: Person): View {
    const of = (state: KnownPost['state']) =>
      this.#oracle.posts.filter((post) => post.by === by && post.state === state).toSorted(lastGoneFirst);
    const removed = of('removed').map((post) => {
      const { changedAt: removed_at, reason, isRemovalUnseen: is_new } = post;
      return { ...written(post), ...modified(post), removed_at, reason, is_new };
    });
    const deleted = of('deleted')
      .map((post) => ({ ...written(post), ...modified(post), restorable_until: restorableUntil(post) }))
      .filter(({ restorable_until: until }) => this.#oracle.now <= until);
    const due = { posts: removed, deleted, pending: of('waits').toSorted(newestFirst).map(this.#pending) };
    return { path: '/posts/removed', by, due };
  }

  #unread = (by: Person): KnownPost[] =>
    by.notified.map(({ post }) => post).filter((post) => this.#oracle.isUnread(by, post));

  notifications(by: Person): View {
    const notified = by.notified.filter(({ post }) => post.state === 'shown').toReversed();
    const replies = notified.map(({ post }) => post).filter(({ repliedTo }) => repliedTo);
    const roots = [...new Set(replies.map(rootOf))].filter(({ state }) => state === 'shown').toSorted(newestFirst);
    const due = {
      ...pageOf(notified.map(({ post }) => this.post(post, by))),
      kinds: notified.map(({ kind }) => kind),
      words: notified.map(({ kind, post }) => (kind === 'word' ? followedIn(by, post.text) : null)),
      roots: roots.map((root) => this.#quoted(root, by)),
      news: notified.map(({ post }) => this.#oracle.isUnread(by, post)),
      unread: this.#unread(by).length,
    };
    return { path: `/users/current/notifications?${wholeList}`, by, due };
  }

  /** The number on the bell. It includes own posts that were removed. */
  bell(by: Person): View {
    const removed = this.#oracle.posts.filter(
      (post) => post.by === by && post.state === 'removed' && post.isRemovalUnseen,
    ).length;
    return {
      path: '/events',
      by,
      due: this.#unread(by).length + removed,
      part: ({ unread }: { unread: number }) => unread,
    };
  }

  following(by: Person): View {
    const discussions = this.#oracle
      .shown((post) => !post.repliedTo && this.#oracle.isFollowing(post, by))
      .map((root) => ({ root, replies: this.#oracle.repliesIn(root) }))
      .filter(({ replies }) => replies.length > 0)
      .toSorted((a, b) => newestFirst(a.replies[0]!, b.replies[0]!));
    const newIn = (root: KnownPost): number => this.#unread(by).filter((post) => rootOf(post) === root).length;
    const lifted = discussions.map(({ root, replies: [last] }) => ({
      key: Number(last!.id),
      post: this.post(root, by),
      reason: 'discussion',
      new_count: newIn(root),
      last_reply_at: last!.at,
    }));
    const listed = discussions.map(({ root }) => root);
    const written = this.#oracle
      .shown((post) => !post.repliedTo && !listed.includes(post) && !by.mutes.has(post.by))
      .filter((post) => Number(post.id) > (by.authors.get(post.by) ?? Infinity))
      .map((post) => ({
        key: Number(post.id),
        post: this.post(post, by),
        reason: 'author',
        new_count: newIn(post),
        last_reply_at: post.at,
      }));
    const told = by.notified
      .filter(({ kind, post }) => kind === 'word' && post.state === 'shown' && !by.mutes.has(post.by))
      .map(({ post }) => post)
      .filter((post) => !listed.includes(rootOf(post)) && !written.some((each) => each.post.id === post.id))
      .map((post) => ({
        key: Number(post.id),
        post: this.post(post, by),
        reason: 'word',
        new_count: newIn(rootOf(post)),
        last_reply_at: post.at,
      }));
    const newest = [...lifted, ...written, ...told].toSorted((a, b) => b.key - a.key);
    const due = { discussions: newest.map(({ key: _, ...rest }) => rest), next: null };
    return { path: `/users/current/following?${wholeList}`, by, due };
  }

  /** The lively discussions, each with the person who lifted it last. */
  discussed(by: Viewer): View {
    const due = this.#oracle
      .shown((post) => !post.repliedTo)
      .flatMap((root) => {
        const lift = this.#oracle.lastLift(root);
        return lift ? [{ root, lift }] : [];
      })
      .toSorted((a, b) => newestFirst(a.lift, b.lift))
      .map(({ root, lift }) => [root.id, lift.by.owner.id]);
    const part: View['part'] = (page: DiscussedPage, isOurs) =>
      page.posts.flatMap((post, i) => (isOurs(post) ? [[post.id, page.lifted_by[i]]] : []));
    return { path: `/posts/discussed?${wholeList}`, by, due, part };
  }

  /** The best posts of a week, after a run of the job that counts them. */
  best(by: Viewer): View {
    const due = this.#oracle
      .shown((post) => this.#oracle.peopleOf(post) >= 2 && this.#oracle.now < post.at + 7 * 24 * 3_600)
      .toSorted((a, b) => this.#oracle.peopleOf(b) - this.#oracle.peopleOf(a) || newestFirst(a, b))
      .map(({ id }) => id);
    const part: View['part'] = (page: PostPage, isOurs) => page.posts.filter(isOurs).map(({ id }) => id);
    return { path: `/posts/best?${wholeList}`, by, due, part };
  }

  follow = (post: KnownPost, by: Person): View =>
    unlessMissing(post, {
      path: `/posts/${post.id}/follow`,
      by,
      due: { following: this.#oracle.isFollowing(rootOf(post), by) },
    });

  words(by: Person): View {
    const words = [...by.words].map(([word, kind]) => ({ word, kind }));
    return { path: '/users/current/words', by, due: { words: words.toSorted((a, b) => (a.word < b.word ? -1 : 1)) } };
  }

  muted(by: Person): View {
    const latestFirst = [...by.mutes].toSorted(
      ([a, at], [b, bAt]) => bAt - at || Number(b.owner.id) - Number(a.owner.id),
    );
    return { path: '/users/current/mutes', by, due: { users: latestFirst.map(([{ owner }]) => owner) } };
  }

  /** The waiting posts, as moderators read them. */
  waiting(by: Person): View {
    const waiting = this.#oracle.posts.filter(({ state }) => state === 'waits').toSorted((a, b) => newestFirst(b, a));
    const due = waiting.map((post) => {
      const quoted = post.repliedTo?.state === 'shown' ? post.repliedTo : null;
      const replied_post = quoted && { id: quoted.id, text: quoted.text, owner: quoted.by.owner };
      return { ...this.#pending(post), owner: post.by.owner, replied_post };
    });
    const part: View['part'] = ({ posts }: PostPage, isOurs) => posts.filter(isOurs);
    return { path: `/moderation/waiting?${wholeList}`, by, due: by.isModerator ? due : undefined, part };
  }
}

const unlessMissing = (post: KnownPost, view: View): View =>
  post.state === 'shown' ? view : { ...view, due: undefined };

const modified = ({ modifiedAt }: KnownPost) => ({
  is_modified: modifiedAt !== null,
  ...(modifiedAt !== null && { modified_at: modifiedAt }),
});

const lastGoneFirst = (a: KnownPost, b: KnownPost) => b.changedAt - a.changedAt || newestFirst(a, b);

const written = ({ id, text, at, repliedTo }: KnownPost) => ({
  id,
  text,
  created_at: at,
  replied_post_id: repliedTo?.id ?? null,
});

const pageOf = (posts: readonly Post[]): PostPage => ({
  posts: [...posts],
  firstPage: 1,
  lastPage: 1,
  total: posts.length,
  next: null,
  previous: null,
});
