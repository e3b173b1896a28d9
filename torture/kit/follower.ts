import { setTimeout as sleep } from 'node:timers/promises';
import type { PostPage } from '#contract/posts.ts';
import { type Heard, readEvents } from '../../test/event-reader.ts';

const reopenMs = 100;
const limit = 50;

/**
 * A reader with an open event stream, who opens it again with Last-Event-ID when it breaks, and reads the wall at first
 * and whenever told to.
 */
export class Follower {
  /** Ids of posts. */
  readonly seen = new Set<string>();
  /** How often the stream broke or could not be opened. */
  broken = 0;
  /** How often it was told to read the wall anew. */
  readAnew = 0;
  position: string | undefined;
  #address: string;
  #close: (() => void) | undefined;
  #stopped = false;
  #following: Promise<void>;

  constructor(address: string) {
    this.#address = address;
    this.#following = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#close?.();
    await this.#following;
  }

  async #follow(): Promise<void> {
    while (!this.#stopped) {
      try {
        const headers: Record<string, string> = this.position ? { 'last-event-id': this.position } : {};
        const url = `${this.#address}/api/v1/events`;
        const { ended, close } = await readEvents(url, headers, (event) => this.#hear(event));
        this.#close = close;
        await ended;
      } catch {
        // What broke is opened again.
      }
      if (this.#stopped) return;
      this.broken += 1;
      await sleep(reopenMs);
    }
  }

  #hear({ id, changes }: Heard): void {
    const isFirst = this.position === undefined;
    this.position = id;
    for (const post of changes.posts) this.seen.add(post.id);
    if (isFirst || changes.reset) void this.#readWall(new Set(this.seen));
    if (changes.reset) this.readAnew += 1;
  }

  /** Back to where everything is known. */
  async #readWall(known: ReadonlySet<string>): Promise<void> {
    let from = '';
    while (!this.#stopped) {
      const page = await this.#page(from);
      for (const { id } of page?.posts ?? []) this.seen.add(id);
      if (!page) await sleep(reopenMs);
      else if (page.next === null || page.posts.every(({ id }) => known.has(id))) return;
      else from = `&cursor=${page.next}`;
    }
  }

  async #page(from: string): Promise<PostPage | undefined> {
    try {
      const response = await fetch(`${this.#address}/api/v1/posts?limit=${limit}${from}`);
      return response.ok ? ((await response.json()) as PostPage) : undefined;
    } catch {
      return undefined;
    }
  }
}
