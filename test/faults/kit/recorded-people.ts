import { setTimeout as sleep } from 'node:timers/promises';
import type { Changes } from '#contract/live.ts';
import type { Post } from '#contract/posts.ts';
import type { Database } from '../../../server/db/database.ts';
import { readEvents } from '../../kit/event-reader.ts';
import type { Person } from '../../measurements/people.ts';
import { absent, type Count, type History, type Read } from './history.ts';
import { Loops } from './loops.ts';
import { followOf, likeOf, pauseMs, type RecordedPost, RecordedPerson } from './recorded-person.ts';

/** People who write and read through any of several processes, and a subscriber at each. All that they see is recorded. */
export class RecordedPeople {
  readonly history: History = { writes: [], reads: [], counts: [], stored: [] };
  /** Responses that no fault explains, in words. */
  readonly refused: string[] = [];
  readonly addresses: readonly string[];
  readonly people: readonly Person[];
  readonly posts: RecordedPost[] = [];
  #loops: Loops;
  #streams: Loops;
  #closeStreams = new Set<() => void>();

  constructor(addresses: readonly string[], people: readonly Person[]) {
    this.addresses = addresses;
    this.people = people;
    const recorded = people.map((person) => new RecordedPerson(this, person));
    this.#loops = new Loops(
      recorded.map((person) => () => person.act()),
      pauseMs,
    );
    this.#streams = new Loops(
      addresses.map((address) => () => this.#subscribe(address)),
      pauseMs,
    );
  }

  /** Resolves when this many more writes are done. */
  async written(more: number): Promise<void> {
    const { writes } = this.history;
    for (const enough = writes.length + more; writes.length < enough; await sleep(pauseMs)) {
      await Promise.race([this.#loops.failure, sleep(0)]);
    }
  }

  /** Resolves when everybody's last write is done. */
  async stop(): Promise<void> {
    await this.#loops.stop();
    this.#streams.abandon();
    for (const close of this.#closeStreams) close();
    await this.#streams.stop();
  }

  /** Adds what is stored in the end. */
  async audit({ read }: Database): Promise<void> {
    const stored = await read.selectFrom('posts').select(['id', 'text']).execute();
    const likes = await read.selectFrom('likes').select(['post_id', 'user_id']).execute();
    const follows = await read.selectFrom('follows').selectAll().where('following', '=', 1).execute();
    const texts = new Map(stored.map(({ id, text }) => [String(id), text]));
    const pairs = (rows: ReadonlyArray<[number, number]>): Set<string> => new Set(rows.map((pair) => pair.join()));
    const liked = pairs(likes.map((row) => [row.user_id, row.post_id]));
    const followed = pairs(follows.map((row) => [row.user_id, row.root_post_id]));
    const now = performance.now();
    const found = (register: string, value: string): void =>
      void this.history.reads.push({ session: 'audit', register, value, from: now, to: Infinity });
    this.history.stored = stored.map(({ text }) => text.split(' ')[0]!);
    for (const post of this.posts) {
      found(post.key, versionOf(texts.get(post.id)));
      // The likes of a deleted post are kept elsewhere.
      const others = post.isDeleted ? [] : this.people.filter((person) => person !== post.author);
      for (const person of others) {
        found(likeOf(person, post), liked.has(`${person.id},${post.id}`) ? 'liked' : absent);
        found(followOf(person, post), followed.has(`${person.id},${post.id}`) ? 'followed' : absent);
      }
    }
  }

  /** Records the text and the likes of a post that a person has read; undefined if the post was not found. */
  sawPost(post: RecordedPost, shown: Post | undefined, how: Omit<Read, 'register' | 'value'>): void {
    this.history.reads.push({ ...how, register: post.key, value: versionOf(shown?.text) });
    if (shown) this.sawLikes(post, shown.actions.likes_count, how);
  }

  sawLikes(post: RecordedPost, count: number, how: Omit<Count, 'registers' | 'value' | 'count'>): void {
    const registers = this.people.map((person) => likeOf(person, post));
    this.history.counts.push({ ...how, registers, value: 'liked', count });
  }

  async #subscribe(address: string): Promise<void> {
    try {
      const { ended, close } = await readEvents(`${address}/api/v1/events`, {}, ({ changes }) =>
        this.#hear(changes, address),
      );
      this.#closeStreams.add(close);
      if (this.#streams.stopped) close();
      await ended;
      this.#closeStreams.delete(close);
    } catch {
      // The next round opens the stream again.
    }
  }

  #hear({ changed, deleted, counts }: Changes, address: string): void {
    const now = performance.now();
    const how = { session: `events of ${address}`, from: now, to: now, isEvent: true };
    const known = (id: string): RecordedPost[] => this.posts.filter((post) => post.id === id);
    for (const { id, text } of changed) {
      for (const { key } of known(id)) this.history.reads.push({ ...how, register: key, value: versionOf(text) });
    }
    for (const id of deleted) {
      for (const { key } of known(id)) this.history.reads.push({ ...how, register: key, value: absent });
    }
    for (const { id, likes_count } of counts) {
      for (const post of known(id)) this.sawLikes(post, likes_count, how);
    }
  }
}

const versionOf = (text: string | undefined): string => text?.split(' ')[1] ?? absent;
