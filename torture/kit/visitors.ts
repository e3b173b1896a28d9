import { setTimeout as sleep } from 'node:timers/promises';
import type { PostPage } from '#contract/posts.ts';
import type { Person } from './people.ts';

const pauseMs = 5;

/** People who read pages and lists without a pause, and like what is newest; it must always work. */
export class Visitors {
  answered = 0;
  /** Requests that nothing was answered to yet. */
  inFlight = 0;
  /** What did not work, in words. */
  readonly failures: string[] = [];
  #address: string;
  #stopping = false;
  #all: Promise<unknown>;

  /** `address` is a server's or a proxy's. */
  constructor(address: string, people: readonly Person[]) {
    this.#address = address;
    this.#all = Promise.all(people.map((person) => this.#visit(person)));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#all;
  }

  async #visit({ token }: Person): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    while (!this.#stopping) {
      await this.#ask('/', {});
      const list = await this.#ask('/api/v1/posts', { headers });
      const newest = list && (JSON.parse(list) as PostPage).posts[0];
      if (newest) await this.#ask(`/api/v1/posts/${newest.id}/likes`, { method: 'POST', headers });
      await sleep(pauseMs);
    }
  }

  async #ask(path: string, init: RequestInit): Promise<string | undefined> {
    this.inFlight += 1;
    try {
      const response = await fetch(`${this.#address}${path}`, init);
      const body = await response.text();
      if (response.status === 200) return body;
      this.failures.push(`${init.method ?? 'GET'} ${path}: ${response.status}`);
    } catch (error) {
      this.failures.push(`${init.method ?? 'GET'} ${path}: ${String(error)}`);
    } finally {
      this.inFlight -= 1;
      this.answered += 1;
    }
  }
}
