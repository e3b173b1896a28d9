import type { Person } from '../../measurements/people.ts';
import { ask } from '../../kit/ask.ts';
import type { Database } from '../../../server/db/database.ts';
import { Loops } from './loops.ts';

const pauseMs = 20;

/** People who like posts at one address, each again until it is acknowledged. */
export class Likers {
  /** `post:person` of each acknowledged like. */
  readonly acknowledged = new Set<string>();
  #address: string;
  #posts: () => readonly string[];
  #loops: Loops;

  constructor(address: string, people: readonly Person[], posts: () => readonly string[]) {
    this.#address = address;
    this.#posts = posts;
    this.#loops = new Loops(
      people.map((person) => () => this.#like(person)),
      pauseMs,
    );
  }

  stop(): Promise<void> {
    return this.#loops.stop();
  }

  async #like({ id, token }: Person): Promise<void> {
    const post = this.#posts().findLast((one) => !this.acknowledged.has(`${one}:${id}`));
    if (post === undefined) return;
    const options = { method: 'POST', headers: { authorization: `Bearer ${token}` } };
    const { outcome } = await ask(`${this.#address}/api/v1/posts/${post}/likes`, options);
    if (outcome === 200) this.acknowledged.add(`${post}:${id}`);
  }
}

/** Number of acknowledged likes that the database does not have. */
export async function lostLikes({ read }: Database, acknowledged: ReadonlySet<string>): Promise<number> {
  const rows = await read.selectFrom('likes').select(['post_id', 'user_id']).execute();
  return acknowledged.difference(new Set(rows.map(({ post_id, user_id }) => `${post_id}:${user_id}`))).size;
}
