import type { Post, PostPage } from '#contract/posts.ts';
import type { Person } from '../../measurements/people.ts';
import { Loops } from './loops.ts';

const readsPerWrite = 9;

/**
 * People who like and unlike their own post, and after each of these writes read it in many ways, as a
 * browser that keeps its cookies and its server.
 */
export class OwnWrites {
  reads = 0;
  /** The reads that did not show the last write, in words. */
  readonly behind: string[] = [];
  readonly failures: string[] = [];
  #addresses: readonly string[];
  #loops: Loops;

  constructor(addresses: readonly string[], people: readonly Person[]) {
    const visits = people.map((person) => new Visit(this, person));
    this.#addresses = addresses;
    this.#loops = new Loops(
      visits.map((visit) => () => visit.once()),
      0,
    );
  }

  stop(): Promise<void> {
    return this.#loops.stop();
  }

  get anyAddress(): string {
    return this.#addresses[Math.floor(Math.random() * this.#addresses.length)]!;
  }
}

class Visit {
  #all: OwnWrites;
  #person: Person;
  #cookies = new Map<string, string>();
  #post: string | undefined;
  #likes = 0;
  #round = 0;

  constructor(all: OwnWrites, person: Person) {
    this.#all = all;
    this.#person = person;
  }

  async once(): Promise<void> {
    if (this.#post === undefined) {
      const text = `Запись человека ${this.#person.username}`;
      const created = await this.#ask('/api/v1/posts', { method: 'POST', body: JSON.stringify({ text }) });
      if (created) this.#post = (JSON.parse(created) as Post).id;
      return;
    }
    const wanted = 1 - this.#likes;
    const method = wanted === 1 ? 'POST' : 'DELETE';
    if ((await this.#ask(`/api/v1/posts/${this.#post}/likes`, { method })) === undefined) return;
    this.#likes = wanted;
    for (let i = 0; i < readsPerWrite; i += 1) await this.#read(i);
  }

  async #read(i: number): Promise<void> {
    this.#round += 1;
    const own = `/api/v1/posts/${this.#post}`;
    const list = `/api/v1/posts?userId=${this.#person.id}&limit=${1 + (this.#round % 50)}`;
    const path = [own, `${own}?${this.#round}`, list][i % 3]!;
    const body = await this.#ask(path, { isVisitor: i >= 3 });
    if (body === undefined) return;
    this.#all.reads += 1;
    const found = JSON.parse(body) as Post | PostPage;
    const post = 'posts' in found ? found.posts.find(({ id }) => id === this.#post) : found;
    const likes = post?.actions.likes_count;
    if (likes !== this.#likes) this.#all.behind.push(`${path}: ${likes} likes, not ${this.#likes}`);
  }

  /** The body of a successful response. */
  async #ask(
    path: string,
    { isVisitor = false, ...init }: RequestInit & { isVisitor?: boolean },
  ): Promise<string | undefined> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      cookie,
      ...(!isVisitor && { authorization: `Bearer ${this.#person.token}` }),
      ...(init.body && { 'content-type': 'application/json' }),
    };
    try {
      const response = await fetch(this.#all.anyAddress + path, { ...init, headers });
      for (const set of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
        this.#cookies.set(name!, value!);
      }
      const body = await response.text();
      if (response.ok) return body;
      this.#all.failures.push(`${path}: ${response.status}`);
    } catch (error) {
      this.#all.failures.push(`${path}: ${String(error)}`);
    }
    return undefined;
  }
}
