import type { NotificationKind } from '#contract/notification-words.ts';
import type { Owner } from '#contract/posts.ts';
import { limits, serverLimits } from '#contract/limits.ts';

/**
 * The expected state of the wall after a sequence of acts, by the specification and the contract. It consists of plain lists in
 * memory, from which each count and response is computed anew. `views.ts` makes the expected responses.
 */
export class Oracle {
  readonly people: readonly Person[];
  readonly posts: KnownPost[] = [];
  now: number;
  /** The posts of people with fewer posts on the wall than this number wait for a moderator. */
  gate = 0;

  constructor(people: readonly Person[], now: number) {
    this.people = people;
    this.now = now;
  }

  /** The status of a new post. 202: it waits, because the author has fewer posts and replies on the wall than `gate`. */
  judge(by: Person, repliedTo: KnownPost | undefined): 201 | 202 | 403 | 404 {
    if (repliedTo && repliedTo.state !== 'shown') return 404;
    if (repliedTo && this.#isClosedTo(by, repliedTo)) return 403;
    return by.isModerator || this.shown((post) => post.by === by).length >= this.gate ? 201 : 202;
  }

  /** Whether a person may not reply. The author of a closed root post still may, as long as the root post is on the wall. */
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
      isRemovalUnseen: false,
      isGated: false,
      modifiedAt: null,
      isPlaceLost: false,
      isClosed: false,
      lifts: false,
      follows: new Map(),
      visits: new Map(),
    };
    this.posts.push(post);
    if (judged === 201) this.#publish(post);
    return post;
  }

  /** Whether a new reply moves its discussion to the top of the lively ones. */
  #lifts(reply: KnownPost): boolean {
    const root = rootOf(reply);
    const isLively = this.repliesIn(root).some(({ by, at }) => by !== reply.by && at >= this.now - livelySeconds);
    // A reply that its author or a moderator may still restore counts here.
    const isPaused = this.posts.some(
      (own) =>
        own.lifts && own.state !== 'gone' && own.by === reply.by && rootOf(own) === root && own.at > this.now - 3_600,
    );
    return root.state === 'shown' && !root.isClosed && isLively && !isPaused;
  }

  /** The reply that lifted a discussion last. */
  lastLift = (root: KnownPost): KnownPost | undefined => this.repliesIn(root).find(({ lifts }) => lifts);

  /** The people who like a post or have answered it. The author does not count. */
  peopleOf(post: KnownPost): number {
    const answered = (person: Person) => this.repliesTo(post).some(({ by }) => by === person);
    return this.people.filter((each) => each !== post.by && (each.likes.includes(post) || answered(each))).length;
  }

  /**
   * Publishes a post. It notifies each person at most once: of an answer, else of a mention, else of a followed discussion or author,
   * else of a followed word.
   */
  #publish(post: KnownPost): void {
    const { by, repliedTo, mentioned } = post;
    const lifts = repliedTo !== undefined && this.#lifts(post);
    Object.assign(post, { state: 'shown', at: this.now, lifts });
    const root = rootOf(post);
    const kindFor = (person: Person): NotificationKind | undefined => {
      if (repliedTo?.by === person) return 'answer';
      if (mentioned === person) return 'mention';
      const isFollowed = repliedTo ? this.isFollowing(root, person) : person.authors.has(by);
      if (isFollowed) return repliedTo ? 'followed' : 'author';
      return followedIn(person, post.text) === null ? undefined : 'word';
    };
    for (const person of this.people) this.#notify(person, post, kindFor(person));
    if (repliedTo && !this.isFollowing(root, by) && !root.follows.has(by)) root.follows.set(by, true);
  }

  #notify(person: Person, post: KnownPost, kind: NotificationKind | undefined): void {
    if (!kind || person === post.by || person.mutes.has(post.by) || wordsOf(person, 'hide', post.text).length > 0)
      return;
    if (!person.notified.some((each) => each.post === post)) person.notified.push({ post, kind });
  }

  /** Chooses a word, or takes it away. */
  chooseWord(person: Person, word: string, kind: WordKind | undefined): 204 {
    if (kind) person.words.set(word, kind);
    else person.words.delete(word);
    return 204;
  }

  /** Changes the text of a post. `expired`: its time to be changed is over. */
  edit(by: Person, post: KnownPost, text: string): 200 | 403 | 404 | 'expired' {
    if (post.state !== 'shown') return 404;
    if (post.by !== by) return 403;
    if (this.now > post.at + editSeconds) return 'expired';
    if (post.isGated) return 403;
    const before = wordsIn(post.text);
    Object.assign(post, { text, modifiedAt: this.now });
    for (const person of this.people) {
      const isAdded = wordsOf(person, 'follow', text).some((word) => !before.includes(word));
      this.#notify(person, post, isAdded ? 'word' : undefined);
    }
    return 200;
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

  /** Deletes a post. Its author can restore a post that was on the wall. A waiting or removed post is deleted for good. */
  delete(by: Person, post: KnownPost): 204 | 403 | 404 {
    const isHidden = post.state === 'waits' || post.state === 'removed';
    if (post.state !== 'shown' && !(isHidden && post.by === by)) return 404;
    if (post.by !== by) return 403;
    Object.assign(post, { state: isHidden ? 'gone' : 'deleted', changedAt: this.now, isRemovalUnseen: false });
    this.#losePlaces();
    return 204;
  }

  undo(by: Person, post: KnownPost): 200 | 404 {
    if (post.state !== 'deleted' || post.by !== by || this.now > restorableUntil(post)) return 404;
    post.state = 'shown';
    return 200;
  }

  /** Removes a post as a moderator. Removing a removed post succeeds and changes nothing. */
  remove(by: Person, post: KnownPost, reason: string): 200 | 403 | 404 {
    if (!by.isModerator || post.state === 'deleted' || post.state === 'gone') return 404;
    if (post.state === 'removed') return 200;
    if (post.by === by) return 403;
    this.#withdraw(post, reason);
    return 200;
  }

  #withdraw(post: KnownPost, reason: string): void {
    if (post.state === 'waits') post.isGated = true;
    Object.assign(post, { state: 'removed', changedAt: this.now, reason, isRemovalUnseen: true });
  }

  restore(by: Person, post: KnownPost): 200 | 404 {
    if (!by.isModerator || (post.state !== 'shown' && post.state !== 'removed')) return 404;
    Object.assign(post, { state: 'shown', isRemovalUnseen: false });
    return 200;
  }

  isPublishable = ({ by, repliedTo }: KnownPost): boolean =>
    !repliedTo || (repliedTo.state === 'shown' && !this.#isClosedTo(by, repliedTo));

  /** Closes or opens a discussion. Authors do so with their own root posts; a moderator opens a discussion with any of its posts. */
  close(by: Person, post: KnownPost, isClosed: boolean): 204 | 400 | 403 | 404 {
    if (post.state !== 'shown') return 404;
    if (post.by !== by && (isClosed || !by.isModerator)) return 403;
    if (post.by === by && post.repliedTo) return 400;
    rootOf(post).isClosed = isClosed;
    return 204;
  }

  /** Publishes a waiting post under its new id. Null means that the replied post is gone: then the post returns to its author. */
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

  /** Makes a person follow an author. Only the author's later posts are listed. */
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

  /** Marks notifications as read up to that of `post`. If `post` is the person's own removed post, marks removals up to its removal. */
  read(person: Person, post: KnownPost): 204 | 404 {
    if (post.by === person && post.state === 'removed') {
      for (const own of this.posts) {
        if (own.by === person && own.state === 'removed' && own.changedAt <= post.changedAt)
          own.isRemovalUnseen = false;
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

  /** Forgets deleted posts that can no longer be restored. Returns the posts whose time to wait is over. */
  runJobs(): KnownPost[] {
    for (const post of this.posts) {
      if (post.state === 'deleted' && this.now > restorableUntil(post)) post.state = 'gone';
    }
    this.#losePlaces();
    return this.posts.filter((post) => post.state === 'waits' && expiryOf(post) <= this.now);
  }

  /** Removes posts that are gone and have no replies below them, shown or withdrawn, from the tree. */
  #losePlaces(): void {
    const kept = this.posts.filter(({ state }) => state !== 'gone' && state !== 'waits');
    for (const post of this.posts) {
      if (post.state === 'gone' && !kept.some((reply) => this.placesAbove(reply).includes(post)))
        post.isPlaceLost = true;
    }
  }

  /** The posts on the wall, newest first. */
  shown(isWanted: (post: KnownPost) => boolean): KnownPost[] {
    return this.posts.filter((post) => post.state === 'shown' && isWanted(post)).toSorted(newestFirst);
  }

  /** Whether a person follows a discussion. The author of its root post does by default, as long as the post is on the wall. */
  isFollowing = (root: KnownPost, person: Person): boolean =>
    root.follows.get(person) ?? (root.state === 'shown' && root.by === person);

  repliesTo = (post: KnownPost): KnownPost[] => this.shown(({ repliedTo }) => repliedTo === post);

  /** All replies of a discussion. */
  repliesIn = (root: KnownPost): KnownPost[] => this.shown((post) => post !== root && rootOf(post) === root);

  repliesBelow = (post: KnownPost): KnownPost[] => this.shown((reply) => this.placesAbove(reply).includes(post));

  /** The posts above a post in the tree, from the root down. */
  placesAbove(post: KnownPost): KnownPost[] {
    const above = placeAbove(post);
    return above ? [...this.placesAbove(above), above] : [];
  }

  /** The posts directly below a post in the tree, oldest first: its replies, and posts that are gone but have replies. */
  placesBelow(post: KnownPost): KnownPost[] {
    const isPlace = (reply: KnownPost) => reply.state === 'shown' || this.repliesBelow(reply).length > 0;
    return this.posts
      .filter((reply) => placeAbove(reply) === post && isPlace(reply))
      .toSorted(newestFirst)
      .toReversed();
  }
}

export class Person {
  /** The person as posts show them. It changes with the face. */
  owner: Owner;
  readonly isModerator: boolean;
  readonly createdAt: number;
  /** The liked posts, the latest like last. The lists and maps below are also in the order of the acts. */
  likes: KnownPost[] = [];
  readonly notified: Array<{ post: KnownPost; kind: NotificationKind }> = [];
  readonly mutes = new Map<Person, number>();
  readonly words = new Map<string, WordKind>();
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
  /** `deleted`: by its author, who may restore it. `removed`: by a moderator. `gone`: for good. */
  state: 'waits' | 'shown' | 'deleted' | 'removed' | 'gone';
  /** The time of the publication; of a waiting post, the time when it was written. */
  at: number;
  /** The time when the post was written, deleted or removed. */
  changedAt: number;
  /** The reason of the removal. */
  reason: string;
  /** The post was removed, and its author has not seen that. */
  isRemovalUnseen: boolean;
  /** The post has waited for a moderator, so it cannot be edited. */
  isGated: boolean;
  modifiedAt: number | null;
  isPlaceLost: boolean;
  /** Of a root post: its author has closed its discussion. */
  isClosed: boolean;
  /** The reply has lifted its discussion. */
  lifts: boolean;
  /** Of a root post: who follows its discussion (true), or has chosen not to (false). */
  follows: Map<Person, boolean>;
  /** Of a root post: the furthest post that each person has read in its discussion. */
  visits: Map<Person, number>;
}

type WordKind = 'follow' | 'hide';

/** The words that people choose, each in two forms. They have different stems. */
const wordForms: Readonly<Record<string, readonly string[]>> = {
  лифт: ['Лифты', 'лифта'],
  '#двор': ['#двор', '#Двор'],
};

/** The words of `wordForms` in a text. */
const wordsIn = (text: string): string[] =>
  Object.keys(wordForms).filter((word) => wordForms[word]!.some((form) => text.split(' ').includes(form)));

const wordsOf = ({ words }: Person, kind: WordKind, text: string): string[] =>
  wordsIn(text).filter((word) => words.get(word) === kind);

/** The followed word of a text that comes first in the alphabet. */
export const followedIn = (person: Person, text: string): string | null =>
  wordsOf(person, 'follow', text).toSorted()[0] ?? null;

/** An hour is the shortest time that a post can wait. */
export const hoursToWait = 1;
const noLongerPossible = 'На это уже нельзя ответить: запись удалена или новые ответы запрещены';

const livelySeconds = 7 * 24 * 3_600;
const editSeconds = 600 + serverLimits.editGraceSeconds;

export const expiryOf = ({ at }: KnownPost): number => at + hoursToWait * 3_600;
export const restorableUntil = ({ changedAt }: KnownPost): number => changedAt + limits.undoDeletionSeconds;

export const newestFirst = (a: KnownPost, b: KnownPost): number => Number(b.id) - Number(a.id);

export const rootOf = (post: KnownPost): KnownPost => (post.repliedTo ? rootOf(post.repliedTo) : post);

/** The post above a post in the tree. A post that had lost its place and gets a reply again is directly below the root. */
const placeAbove = (post: KnownPost): KnownPost | undefined =>
  post.isPlaceLost && post.repliedTo ? rootOf(post) : post.repliedTo;
