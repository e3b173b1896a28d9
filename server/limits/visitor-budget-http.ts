import type { FastifyRequest } from 'fastify';
import { ApiError } from '../http/thrown-api-error.ts';
import { SharedRate } from './shared-rate.ts';

const underWayAtMost = 4;
const waitingAtMost = 30;
/** How much of a turn of the event loop may have passed for another read to begin in it. */
const turnMs = 3;
/** Milliseconds in which something is made for visitors: half of the time in the long run. */
const busyMs = { burst: 3_000, perSecond: 500 };
const retryAfter = 5;
/** What a page that is not cached counts as, in reads. */
const readsOfPage = 5;

/** Counts reads of an address; more than 0 when it has to wait. */
type CountReads = (ip: string, reads: number) => number;

/**
 * What is made for visitors together, pages and responses of the API that are not cached: a few at a time, and a few more wait. They
 * begin in a turn of the event loop until they have taken some milliseconds of it, as a large one does alone: cached responses
 * and members go in between. They also share the time in which anything is under way for them: whoever asks from thousands of
 * addresses leaves the rest of it to members.
 */
export class VisitorBudget {
  #underWay = 0;
  /** When the first of this turn began. */
  #turnBegan: number | undefined;
  #waiting: Array<() => void> = [];
  #countReads: CountReads;
  #busy: SharedRate | undefined;
  /** Until when the time under way has been spent from the rate. */
  #spentAt = 0;

  /** With `isOff` only the number of those that are under way is bounded. */
  constructor(countReads: CountReads, { isOff = false } = {}) {
    this.#countReads = countReads;
    this.#busy = isOff ? undefined : new SharedRate(busyMs);
  }

  get isBusy(): boolean {
    return this.#underWay === underWayAtMost || this.#waiting.length > 0 || this.#secondsToWait() > 0;
  }

  /** Every request for a page that is not cached passes here, also when it waits for the rendering of another one. */
  count({ ip }: FastifyRequest): void {
    // The request itself has been counted.
    const wait = this.#countReads(ip, readsOfPage - 1);
    if (wait > 0) throw new ApiError('TOO_MANY_REQUESTS', { retryAfter: wait, limit: 'reads' });
  }

  /** What has been cached and is outdated goes first and always finds room: there is as much as the cache holds. */
  async run<T>(make: () => Promise<T>, isFirst = false): Promise<T> {
    const ahead = this.#underWay + this.#waiting.length;
    if (!isFirst && (ahead >= underWayAtMost + waitingAtMost || this.#secondsToWait() > 0)) throw this.#tooMany();
    const { promise, resolve } = Promise.withResolvers<void>();
    if (isFirst) this.#waiting.unshift(resolve);
    else this.#waiting.push(resolve);
    this.#begin();
    await promise;
    try {
      return await make();
    } finally {
      this.#spend();
      this.#underWay -= 1;
      this.#begin();
    }
  }

  /** Makes what a call of the API or a file responds with. `isFree`: for a member, or outdated in a cache, or being made already. */
  read<T>(isFree: boolean, make: () => Promise<T>): Promise<T> {
    return isFree || this.#busy === undefined ? make() : this.run(make);
  }

  /** Renders what is made for one visitor. */
  async forVisitor<T>(request: FastifyRequest, render: () => Promise<T>): Promise<T> {
    this.count(request);
    return this.run(render);
  }

  #begin(): void {
    const isTurnOver = this.#turnBegan !== undefined && performance.now() - this.#turnBegan >= turnMs;
    if (isTurnOver || this.#underWay === underWayAtMost) return;
    const next = this.#waiting.shift();
    if (!next) return;
    this.#spend();
    this.#underWay += 1;
    if (this.#turnBegan === undefined) {
      this.#turnBegan = performance.now();
      setImmediate(() => {
        this.#turnBegan = undefined;
        this.#begin();
      });
    }
    next();
  }

  /** Spends the time since the last call, unless nothing was under way. */
  #spend(): void {
    const now = performance.now();
    if (this.#underWay > 0) this.#busy?.spend(now - this.#spentAt);
    this.#spentAt = now;
  }

  #secondsToWait(): number {
    return this.#busy?.secondsToWait(0) ?? 0;
  }

  /** Without a line in the log for each, as for other reads. */
  #tooMany(): ApiError {
    return new ApiError('TOO_MANY_REQUESTS', {
      retryAfter: Math.max(retryAfter, this.#secondsToWait()),
      limit: 'reads',
      message: 'Сейчас стену открывает слишком много людей сразу. Попробуйте через несколько секунд.',
    });
  }
}
