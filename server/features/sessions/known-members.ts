import type { IncomingMessage } from 'node:http';
import type { Database } from '../../db/database.ts';

const maxKnown = 10_000;
const maxCookieLength = 1_000;
/** A session also ends by time, which no write reports. */
const knownSeconds = 10;

/**
 * Cookie headers with the session of a member, on a closed wall. They are forgotten at once, in every process, when any session
 * is closed or person is blocked: both touch `members`.
 */
export class KnownMembers {
  #until = new Map<string, number>();
  #changes = 0;
  #now: () => number;

  constructor(db: Pick<Database, 'onChange'>, now: () => number) {
    this.#now = now;
    db.onChange((changed) => {
      if (changed !== 'everything' && !changed.includes('members')) return;
      this.#until.clear();
      this.#changes += 1;
    });
  }

  has({ headers: { cookie } }: Pick<IncomingMessage, 'headers'>): boolean {
    const left = cookie === undefined ? 0 : (this.#until.get(cookie) ?? 0) - this.#now();
    // The clock may have been set back.
    return left > 0 && left <= knownSeconds;
  }

  /** Remembers a member whom `find` has found, unless a session was closed meanwhile: the result may be from before that. */
  async remember(
    { headers: { cookie } }: Pick<IncomingMessage, 'headers'>,
    find: () => Promise<boolean>,
  ): Promise<boolean> {
    const changes = this.#changes;
    const isMember = await find();
    if (isMember && changes === this.#changes && cookie !== undefined && cookie.length <= maxCookieLength) {
      if (this.#until.size >= maxKnown) this.#until.clear();
      this.#until.set(cookie, this.#now() + knownSeconds);
    }
    return isMember;
  }
}
