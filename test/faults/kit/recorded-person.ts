import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Post } from '#contract/posts.ts';
import type { Person } from '../../measurements/people.ts';
import { absent, type History, type Read } from './history.ts';

export const pauseMs = 50;

/** The texts of a post are `key 1`, `key 2` and so on; its key names its register. */
export interface RecordedPost {
  id: string;
  key: string;
  author: Person;
  version: number;
  isDeleted: boolean;
}

export const likeOf = (person: Person, { key }: RecordedPost): string => `${person.username} likes ${key}`;
export const followOf = (person: Person, { key }: RecordedPost): string => `${person.username} follows ${key}`;

/** What several people share. */
interface Recording {
  readonly history: History;
  readonly refused: string[];
  readonly addresses: readonly string[];
  readonly posts: RecordedPost[];
  sawPost(post: RecordedPost, shown: Post | undefined, how: Omit<Read, 'register' | 'value'>): void;
}

interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  text?: string;
}

/** One browser: it does one thing after the other, keeps its cookies, and repeats a write until it is done. */
export class RecordedPerson {
  #all: Recording;
  #person: Person;
  #cookies = new Map<string, string>();
  #own: RecordedPost[] = [];
  #held = new Set<string>();

  constructor(all: Recording, person: Person) {
    this.#all = all;
    this.#person = person;
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
    const body = await this.#write(key, '1', { method: 'POST', path: '/posts', text: `${key} 1` });
    const { id } = JSON.parse(body!) as Post;
    const post = { id, key, author: this.#person, version: 1, isDeleted: false };
    this.#own.push(post);
    this.#all.posts.push(post);
  }

  /** Edits a post, deletes it or takes the deletion back. */
  async #change(post: RecordedPost): Promise<void> {
    const path = `/posts/${post.id}`;
    if (post.isDeleted) {
      await this.#write(post.key, String(post.version), { method: 'POST', path: `${path}/restoration` });
      post.isDeleted = false;
    } else if (Math.random() < 0.6) {
      const version = String((post.version += 1));
      await this.#write(post.key, version, { method: 'PATCH', path, text: `${post.key} ${version}` });
    } else {
      post.isDeleted = true;
      await this.#write(post.key, absent, { method: 'DELETE', path });
    }
    await this.#read(post);
  }

  async #toggle(register: string, value: string, post: RecordedPost, name: 'likes' | 'follow'): Promise<void> {
    const isHeld = this.#held.has(register);
    const method = isHeld ? 'DELETE' : name === 'likes' ? 'POST' : 'PUT';
    const path = `/posts/${post.id}/${name}`;
    const done = await this.#write(register, isHeld ? absent : value, { method, path });
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
    const { address, ...received } = await this.#send({ method: 'GET', path });
    const person = this.#person.username;
    return { ...received, how: { person, session: `${person} at ${address}`, from, to: performance.now() } };
  }

  /** Resolves to the body of the response; undefined if nothing was written, because the post had been deleted. */
  async #write(register: string, value: string, request: Request): Promise<string | undefined> {
    const key = randomUUID();
    const write = { person: this.#person.username, register, value, from: performance.now(), to: Infinity };
    let isRepeated = false;
    for (;;) {
      const { status, body } = await this.#send(request, key);
      if (status === undefined || status === 503) {
        isRepeated = true;
        await sleep(pauseMs);
        continue;
      }
      const isToggle = register.includes(' ');
      // An earlier try may have been done although its response was lost.
      const wasDone = isToggle ? status === 400 : isRepeated && status < 500;
      const isDone = status < 300 || wasDone;
      if (isDone) write.to = performance.now();
      if (isDone || isRepeated) this.#all.history.writes.push(write);
      if (isDone) return body;
      if (!isToggle || status !== 404) this.#all.refused.push(`${request.method} ${request.path}: ${status} ${body}`);
      return undefined;
    }
  }

  /** Without a status when no whole response came. */
  async #send(
    { method, path, text }: Request,
    key?: string,
  ): Promise<{ address: string; status?: number; body: string }> {
    const { addresses } = this.#all;
    const address = addresses[Math.floor(Math.random() * addresses.length)]!;
    const headers = {
      authorization: `Bearer ${this.#person.token}`,
      cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; '),
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    try {
      const body = text === undefined ? null : JSON.stringify({ text });
      const response = await fetch(`${address}/api/v1${path}`, { method, headers, body });
      const received = await response.text();
      for (const set of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
        this.#cookies.set(name!, value!);
      }
      return { address, status: response.status, body: received };
    } catch {
      return { address, body: '' };
    }
  }
}
