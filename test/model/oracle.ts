import type { NotificationKind } from '#contract/notifications.ts';
import type { Owner } from '#contract/posts.ts';
import { limits } from '#contract/limits.ts';

/**
 * What the wall must be after a sequence of acts, by the specification and the contract: plain lists in memory, and each count
 * and each response made from them anew. `views.ts` words the responses.
 */
export class Oracle {
  readonly people: readonly Person[];
  readonly posts: KnownPost[] = [];
  now: number;
  /** How many posts of a newcomer wait. */
  gate = 0;

  constructor(people: readonly Person[], now: number) {
    this.people = people;
    this.now = now;
  }

  /** 202: a newcomer's text waits while they have fewer posts and replies on the wall than the gate asks for. */
  judge(by: Person, repliedTo: KnownPost | undefined): 201 | 202 | 403 | 404 {
    if (repliedTo && repliedTo.state !== 'shown') return 404;
    if (repliedTo && this.#isClosedTo(by, repliedTo)) return 403;
    return by.isModerator || this.shown((post) => post.by === by).length >= this.gate ? 201 : 202;
  }

  /** An author who has closed the replies to a root post still replies, as long as it is there. */
  #isClosedTo(by: Person, repliedTo: KnownPost): boolean {
    const root = rootOf(repliedTo);
    return root.isClosed && !(root.state === 'shown' && root.by === by);
  }

  write(written: Written, judged: 201 | 202): KnownPost {
    const post: KnownPost = {
      ...written,
      state: 'waits',
      at: this.now,
      changedAt: this.now,
      reason: '',
      isNew: false,
      isGated: false,
      isPlaceLost: false,
      isClosed: false,
      follows: new Map(),
      visits: new Map(),
    };
    this.posts.push(post);
    if (judged === 201) this.#publish(post);
    return post;
  }

  /** Each person is notified once: of an answer to them, otherwise of a mention, otherwise of a discussion that they follow. */
  #publish(post: KnownPost): void {
    const { by, repliedTo, mentioned } = post;
    Object.assign(post, { state: 'shown', at: this.now });
    const root = rootOf(post);
    const kindFor = (person: Person): NotificationKind | undefined => {
      if (repliedTo?.by === person) return 'answer';
      if (mentioned === person) return 'mention';
      return repliedTo && this.isFollowing(root, person) ? 'followed' : undefined;
    };
    for (const person of this.people) {
      const kind = person === by || person.mutes.has(by) ? undefined : kindFor(person);
      if (kind) person.notified.push({ post, kind });
    }
    if (repliedTo && !this.isFollowing(root, by) && !root.follows.has(by)) root.follows.set(by, true);
  }

  like({ likes }: Person, post: KnownPost): 200 | 404 {
    if (post.state === 'shown' && !likes.includes(post)) likes.push(post);
    return post.state === 'shown' ? 200 : 404;
  }

  unlike(person: Person, post: KnownPost): 200 | 404 {
    if (post.state !== 'shown') return 404;
    person.likes = person.likes.filter((liked) => liked !== post);
    return 200;
  }

  /** An author can take back the deletion of what was on the wall. What waits or was removed is deleted for good. */
  delete(by: Person, post: KnownPost): 204 | 403 | 404 {
    const isHidden = post.state === 'waits' || post.state === 'removed';
    if (post.state !== 'shown' && !(isHidden && post.by === by)) return 404;
    if (post.by !== by) return 403;
    Object.assign(post, { state: isHidden ? 'gone' : 'deleted', changedAt: this.now, isNew: false });
    this.#losePlaces();
    return 204;
  }

  undo(by: Person, post: KnownPost): 200 | 404 {
    if (post.state !== 'deleted' || post.by !== by || this.now > restorableUntil(post)) return 404;
    post.state = 'shown';
    return 200;
  }

  /** To remove or restore what is so already changes nothing. */
  remove(by: Person, post: KnownPost, reason: string): 200 | 403 | 404 {
    if (!by.isModerator || post.state === 'deleted' || post.state === 'gone') return 404;
    if (post.state === 'removed') return 200;
    if (post.by === by) return 403;
    this.#withdraw(post, reason);
    return 200;
  }

  #withdraw(post: KnownPost, reason: string): void {
    if (post.state === 'waits') post.isGated = true;
    Object.assign(post, { state: 'removed', changedAt: this.now, reason, isNew: true });
  }

  restore(by: Person, post: KnownPost): 200 | 404 {
    if (!by.isModerator || (post.state !== 'shown' && post.state !== 'removed')) return 404;
    Object.assign(post, { state: 'shown', isNew: false });
    return 200;
  }

  isPublishable = ({ by, repliedTo }: KnownPost): boolean =>
    !repliedTo || (repliedTo.state === 'shown' && !this.#isClosedTo(by, repliedTo));

  /** Authors close and open the replies to their own root posts. A moderator opens a discussion by any of its posts. */
  close(by: Person, post: KnownPost, isClosed: boolean): 204 | 400 | 403 | 404 {
    if (post.state !== 'shown') return 404;
    if (post.by !== by && (isClosed || !by.isModerator)) return 403;
    if (post.by === by && post.repliedTo) return 400;
    rootOf(post).isClosed = isClosed;
    return 204;
  }

  /** What has waited appears under a new id, or goes back to its author: `id` is null when what it replies to is gone. */
  letThrough(post: KnownPost, id: string | null): void {
    if (id === null) return this.#withdraw(post, noLongerPossible);
    Object.assign(post, { id, isGated: true });
    this.#publish(post);
  }

  mute(person: Person, muted: Person): 204 | 403 {
    if (person === muted) return 403;
    if (!person.mutes.has(muted)) person.mutes.set(muted, this.now);
    return 204;
  }

  unmute(person: Person, muted: Person): 204 {
    person.mutes.delete(muted);
    return 204;
  }

  /** What the author writes from now on comes to the person. */
  followAuthor(person: Person, author: Person): 204 | 403 {
    if (person === author) return 403;
    const newest = this.shown(() => true)[0];
    if (!person.authors.has(author)) person.authors.set(author, Number(newest?.id ?? 0));
    return 204;
  }

  unfollowAuthor(person: Person, author: Person): 204 {
    person.authors.delete(author);
    return 204;
  }

  /** Reads up to the notification of a post, or the removals of own posts up to that of one. */
  read(person: Person, post: KnownPost): 204 | 404 {
    if (post.by === person && post.state === 'removed') {
      for (const own of this.posts) {
        if (own.by === person && own.state === 'removed' && own.changedAt <= post.changedAt) own.isNew = false;
      }
      return 204;
    }
    const place = post.state === 'shown' ? person.notified.findIndex((each) => each.post === post) : -1;
    const read = person.notified.slice(0, place + 1).filter((each) => this.isUnread(person, each.post));
    for (const each of read) this.visit(person, each.post);
    return place < 0 ? 404 : 204;
  }

  follow(person: Person, post: KnownPost, follows: boolean): 200 | 404 {
    if (post.state !== 'shown') return 404;
    rootOf(post).follows.set(person, follows);
    return 200;
  }

  /** Returns the furthest post that the person has read in the discussion. */
  visit(person: Person, post: KnownPost): { post_id: string } {
    const { visits } = rootOf(post);
    const upTo = Math.max(visits.get(person) ?? 0, Number(post.id));
    visits.set(person, upTo);
    return { post_id: String(upTo) };
  }

  /** A notification is unread while its post is further than the person has read the discussion. */
  isUnread = (person: Person, post: KnownPost): boolean =>
    post.state === 'shown' && !person.mutes.has(post.by) && Number(post.id) > (rootOf(post).visits.get(person) ?? 0);

  /** Forgets what nobody can take back any more. Returns the posts whose time to wait is over. */
  runJobs(): KnownPost[] {
    for (const post of this.posts) {
      if (post.state === 'deleted' && this.now > restorableUntil(post)) post.state = 'gone';
    }
    this.#losePlaces();
    return this.posts.filter((post) => post.state === 'waits' && expiryOf(post) <= this.now);
  }

  /** The place of a post that cannot be restored remains only while there are replies below it. */
  #losePlaces(): void {
    for (const post of this.posts) {
      if (post.state === 'gone' && this.repliesBelow(post).length === 0) post.isPlaceLost = true;
    }
  }

  /** The posts on the wall, newest first. */
  shown(isWanted: (post: KnownPost) => boolean): KnownPost[] {
    return this.posts.filter((post) => post.state === 'shown' && isWanted(post)).toSorted(newestFirst);
  }

  /** The author of a root post that is there follows its discussion until they decline. */
  isFollowing = (root: KnownPost, person: Person): boolean =>
    root.follows.get(person) ?? (root.state === 'shown' && root.by === person);

  repliesTo = (post: KnownPost): KnownPost[] => this.shown(({ repliedTo }) => repliedTo === post);

  /** All replies of a discussion. */
  repliesIn = (root: KnownPost): KnownPost[] => this.shown((post) => post !== root && rootOf(post) === root);

  repliesBelow = (post: KnownPost): KnownPost[] => this.shown((reply) => this.placesAbove(reply).includes(post));

  /** From the root down. */
  placesAbove(post: KnownPost): KnownPost[] {
    const above = placeAbove(post);
    return above ? [...this.placesAbove(above), above] : [];
  }

  /** The places below a post in the tree, oldest first: replies, and what is gone above other replies. */
  placesBelow(post: KnownPost): KnownPost[] {
    const isPlace = (reply: KnownPost) => reply.state === 'shown' || this.repliesBelow(reply).length > 0;
    return this.posts
      .filter((reply) => placeAbove(reply) === post && isPlace(reply))
      .toSorted(newestFirst)
      .toReversed();
  }
}

export class Person {
  /** With the face that the person has now: the posts show it too. */
  owner: Owner;
  readonly isModerator: boolean;
  readonly createdAt: number;
  /** The latest last, as what follows. */
  likes: KnownPost[] = [];
  readonly notified: Array<{ post: KnownPost; kind: NotificationKind }> = [];
  readonly mutes = new Map<Person, number>();
  /** The authors whom the person follows, each with the newest post of the wall at that time. */
  readonly authors = new Map<Person, number>();

  constructor(owner: Owner, isModerator: boolean, createdAt: number) {
    this.owner = owner;
    this.isModerator = isModerator;
    this.createdAt = createdAt;
  }
}

interface Written {
  id: string;
  text: string;
  by: Person;
  mentioned: Person | undefined;
  repliedTo: KnownPost | undefined;
}

export interface KnownPost extends Written {
  /** Deleted: its author may take that back. Removed: by a moderator. */
  state: 'waits' | 'shown' | 'deleted' | 'removed' | 'gone';
  /** When it was written, and for others when it appeared. */
  at: number;
  /** When it was written, deleted or removed. */
  changedAt: number;
  /** Why it was removed. */
  reason: string;
  /** Its author has not seen that it was removed. */
  isNew: boolean;
  /** It has waited: its text does not change any more. */
  isGated: boolean;
  isPlaceLost: boolean;
  /** On a root post: its author has closed the replies to it. */
  isClosed: boolean;
  /** On a root post: who follows its discussion, or has chosen not to. */
  follows: Map<Person, boolean>;
  /** On a root post: the furthest post of its discussion that people have read. */
  visits: Map<Person, number>;
}

/** An hour is the shortest time that a post can wait. */
export const hoursToWait = 1;
const noLongerPossible = 'На это уже нельзя ответить: запись удалена или новые ответы запрещены';

export const expiryOf = ({ at }: KnownPost): number => at + hoursToWait * 3_600;
export const restorableUntil = ({ changedAt }: KnownPost): number => changedAt + limits.undoDeletionSeconds;

export const newestFirst = (a: KnownPost, b: KnownPost): number => Number(b.id) - Number(a.id);

export const rootOf = (post: KnownPost): KnownPost => (post.repliedTo ? rootOf(post.repliedTo) : post);

/** Where a post stands in the tree. One whose place was lost comes back directly below the root. */
const placeAbove = (post: KnownPost): KnownPost | undefined =>
  post.isPlaceLost && post.repliedTo ? rootOf(post) : post.repliedTo;
