import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LightMyRequestResponse } from 'fastify';
import type { Changes } from '#contract/live.ts';
import type { Post } from '#contract/posts.ts';
import type { Database } from '../../../server/db/database.ts';
import { readEvents } from '../../kit/event-reader.ts';
import type { Person } from '../../measurements/people.ts';
import { absent, type Count, type History, type Read } from './history.ts';
import { Loops } from './load.ts';
import { type RovingBrowser, rovingBrowser } from './wall-over-http.ts';

const pauseMs = 50;

/** The texts of a post are `key 1`, `key 2` and so on; its key names its register. */
interface RecordedPost {
  id: string;
  key: string;
  author: Person;
  version: number;
  isDeleted: boolean;
}

const likeOf = (person: Person, { key }: RecordedPost): string => `${person.username} likes ${key}`;
const followOf = (person: Person, { key }: RecordedPost): string => `${person.username} follows ${key}`;
const versionOf = (text: string | undefined): string => text?.split(' ')[1] ?? absent;

/** People who write and read through any of several processes, and a subscriber at each. All that they see is recorded. */
export class RecordedPeople extends Loops {
  readonly history: History = { writes: [], reads: [], counts: [], stored: [] };
  /** Responses that no fault explains, in words. */
  readonly refused: string[] = [];
  readonly people: readonly Person[];
  readonly posts: RecordedPost[] = [];
  #streams: Loops;
  #closeStreams = new Set<() => void>();

  constructor(addresses: readonly string[], people: readonly Person[]) {
    super();
    this.people = people;
    const recorded = people.map((person) => new RecordedPerson(this, person, rovingBrowser(addresses, person.token)));
    const acting = recorded.map((person) => () => person.act());
    this.begin(acting, pauseMs);
    const subscribing = addresses.map((address) => () => this.#subscribe(address));
    this.#streams = new Loops(subscribing, pauseMs);
  }

  /** Resolves when this many more writes are done. */
  async written(more: number): Promise<void> {
    const { writes } = this.history;
    for (const enough = writes.length + more; writes.length < enough; await sleep(pauseMs)) {
      await Promise.race([this.failure, sleep(0)]);
    }
  }

  /** Resolves when everybody's last write is done. */
  override async stop(): Promise<void> {
    await super.stop();
    this.#streams.stopped = true;
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

type Request = Parameters<RovingBrowser['send']>;

/** One browser: it does one thing after the other, keeps its cookies, and repeats a write until it is done. */
class RecordedPerson {
  #all: RecordedPeople;
  #person: Person;
  #browser: RovingBrowser;
  #own: RecordedPost[] = [];
  #held = new Set<string>();

  constructor(all: RecordedPeople, person: Person, browser: RovingBrowser) {
    this.#all = all;
    this.#person = person;
    this.#browser = browser;
  }

  async act(): Promise<void> {
    const others = this.#all.posts.filter(({ author }) => author !== this.#person).slice(-20);
    const other = others[Math.floor(Math.random() * others.length)];
    const own = this.#own.at(-1);
    const chance = Math.random();
    if (!own || chance < 0.1) await this.#publish();
    else if (chance < 0.25) await this.#change(own);
    else if (!other) return;
    else if (chance < 0.3) await this.#readFollow(other);
    else if (chance < 0.4) await this.#toggle(likeOf(this.#person, other), 'liked', other, 'likes');
    else if (chance < 0.5) await this.#toggle(followOf(this.#person, other), 'followed', other, 'follow');
    else await this.#read(chance < 0.7 ? own : other);
  }

  async #publish(): Promise<void> {
    const key = `${this.#person.username}-${this.#own.length}`;
    const body = await this.#write(key, '1', ['POST', '/posts', { text: `${key} 1` }]);
    const { id } = JSON.parse(body!) as Post;
    const post = { id, key, author: this.#person, version: 1, isDeleted: false };
    this.#own.push(post);
    this.#all.posts.push(post);
  }

  /** Edits a post, deletes it or takes the deletion back. */
  async #change(post: RecordedPost): Promise<void> {
    const path = `/posts/${post.id}`;
    if (post.isDeleted) {
      await this.#write(post.key, String(post.version), ['POST', `${path}/restoration`]);
      post.isDeleted = false;
    } else if (Math.random() < 0.6) {
      const version = String((post.version += 1));
      await this.#write(post.key, version, ['PATCH', path, { text: `${post.key} ${version}` }]);
    } else {
      post.isDeleted = true;
      await this.#write(post.key, absent, ['DELETE', path]);
    }
    await this.#read(post);
  }

  async #toggle(register: string, value: string, post: RecordedPost, name: 'likes' | 'follow'): Promise<void> {
    const isHeld = this.#held.has(register);
    const method = isHeld ? 'DELETE' : name === 'likes' ? 'POST' : 'PUT';
    const done = await this.#write(register, isHeld ? absent : value, [method, `/posts/${post.id}/${name}`]);
    if (done === undefined) return;
    if (isHeld) this.#held.delete(register);
    else this.#held.add(register);
    await this.#read(post);
  }

  async #readFollow(post: RecordedPost): Promise<void> {
    const { status, body, how } = await this.#get(`/posts/${post.id}/follow`);
    if (status !== 200) return;
    const value = (JSON.parse(body) as { following: boolean }).following ? 'followed' : absent;
    this.#all.history.reads.push({ ...how, register: followOf(this.#person, post), value });
  }

  async #read(post: RecordedPost): Promise<void> {
    const { status, body, how } = await this.#get(`/posts/${post.id}`);
    if (status === 404) this.#all.sawPost(post, undefined, how);
    if (status !== 200) return;
    const shown = JSON.parse(body) as Post;
    this.#all.sawPost(post, shown, how);
    if (post.author === this.#person) return;
    const value = shown.actions.is_liked ? 'liked' : absent;
    this.#all.history.reads.push({ ...how, register: likeOf(this.#person, post), value, post: post.key });
  }

  async #get(path: string) {
    const from = performance.now();
    const response = await this.#send('GET', path);
    const person = this.#person.username;
    const session = `${person} at ${this.#browser.last}`;
    const how = { person, session, from, to: performance.now() };
    return { status: response?.statusCode, body: response?.body ?? '', how };
  }

  /** Resolves to the body of the response; undefined if the write was refused, for example because the post had been deleted. */
  async #write(register: string, value: string, request: Request): Promise<string | undefined> {
    const [method, path, body] = request;
    const headers = { 'idempotency-key': randomUUID() };
    const write = { person: this.#person.username, register, value, from: performance.now(), to: Infinity };
    for (let isRepeated = false; ; isRepeated = true) {
      const response = await this.#send(method, path, body, headers);
      if (response === undefined || response.statusCode === 503) {
        await sleep(pauseMs);
        continue;
      }
      const { statusCode: status } = response;
      const isToggle = register.includes(' ');
      // An earlier try may have been done although its response was lost.
      const wasDone = isToggle ? status === 400 : isRepeated && status < 500;
      const isDone = status < 300 || wasDone;
      if (isDone) write.to = performance.now();
      if (isDone || isRepeated) this.#all.history.writes.push(write);
      if (isDone) return response.body;
      if (!isToggle || status !== 404) this.#all.refused.push(`${method} ${path}: ${status} ${response.body}`);
      return undefined;
    }
  }

  /** Undefined when no whole response came. */
  #send(...request: Request): Promise<LightMyRequestResponse | undefined> {
    return this.#browser.send(...request).catch(() => undefined);
  }
}
