import type { FastifyRequest } from 'fastify';
import type { MemberShares } from '../http/serve.ts';
import { ApiError } from '../http/thrown-api-error.ts';
import { SharedRate } from './shared-rate.ts';
import { Turns } from './turns.ts';

/** Visitors together and members together have as many pages and reads under way. */
const underWayAtMost = 4;
/** How many milliseconds of work, and how many requests, may wait before one of a visitor. The number bounds the memory. */
const ahead = { ms: 2_000, count: 500 };
/** The assumed duration of a piece of work until some have been measured. */
const firstGuessMs = 10;
/** The weight of the last duration in the moving average. */
const learning = 0.1;
/** Milliseconds in which something is made for visitors: half of the time in the long run. */
const busyMs = { burst: 3_000, perSecond: 500 };
const retryAfter = 5;
/** What a page that is not cached counts as, in reads. */
const readsOfPage = 5;

/** Counts reads of an address; more than 0 when it has to wait. */
type CountReads = (ip: string, reads: number) => number;

/**
 * What is made for visitors together, pages and responses of the API that are not cached. A few are made at a time, and as many wait
 * as can be made in 2 s. Visitors also share the time in which anything is under way for them: whoever asks from thousands of
 * addresses leaves the rest of it to members.
 */
export class VisitorBudget {
  #turns = new Turns(underWayAtMost);
  #countReads: CountReads;
  #busy: SharedRate | undefined;
  /** Until when the time under way has been spent from the rate. */
  #spentAt = 0;
  /** Moving average of the time that each adds while others are under way. */
  #usualMs = firstGuessMs;
  /** When the last piece of work ended or, if none has, the first one under way began. */
  #progressAt = 0;

  /** With `isOff` only the number of those that are under way and wait is bounded. */
  constructor(countReads: CountReads, { isOff = false } = {}) {
    this.#countReads = countReads;
    this.#busy = isOff ? undefined : new SharedRate(busyMs);
  }

  get isBusy(): boolean {
    return this.#turns.areTaken || this.#secondsToWait() > 0;
  }

  /** Every request for a page that is not cached passes here, also when it waits for the rendering of another one. */
  count({ ip }: FastifyRequest): void {
    // The request itself has been counted.
    const wait = this.#countReads(ip, readsOfPage - 1);
    if (wait > 0) throw new ApiError('TOO_MANY_REQUESTS', { retryAfter: wait, limit: 'reads' });
  }

  /** What has been cached and is outdated goes first and always finds room: there is as much as the cache holds. */
  async run<T>(make: () => Promise<T>, isFirst = false): Promise<T> {
    if (!isFirst && (this.#isFull() || this.#secondsToWait() > 0)) throw this.#tooMany();
    return this.#turns.run(async () => {
      this.#spend(this.#turns.underWay - 1);
      const begunAt = this.#progressAt;
      const isAlone = this.#turns.underWay === 1 && this.#turns.waiting === 0;
      try {
        return await make();
      } finally {
        this.#spend(this.#turns.underWay);
        const now = performance.now();
        // Alone it waits for the storage and for code that is not compiled yet. Beside others it adds a third or less of that.
        const share = isAlone && begunAt === this.#progressAt ? underWayAtMost : 1;
        const ms = (now - this.#progressAt) / share;
        this.#usualMs += learning * (ms - this.#usualMs);
        this.#progressAt = now;
      }
    }, isFirst);
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

  /** The present piece of work may already have taken longer than usual: then those after it may, too. */
  #isFull(): boolean {
    const { underWay, waiting } = this.#turns;
    if (underWay === 0) return false;
    const eachMs = Math.max(this.#usualMs, (performance.now() - this.#progressAt) / underWayAtMost);
    return waiting >= ahead.count || (underWay + waiting) * eachMs >= ahead.ms;
  }

  /** Spends the time since the last call, unless nothing was under way. */
  #spend(underWay: number): void {
    const now = performance.now();
    if (underWay > 0) this.#busy?.spend(now - this.#spentAt);
    else this.#progressAt = now;
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

/** Milliseconds in which something is made for one member: a quarter of the time in the long run. */
const memberMs = { burst: 3_000, perSecond: 250 };
/** So that two members have a turn beside one who asks for everything at once. */
const underWayOfMember = 2;
const waitingOfMember = 50;
/** A page is not begun while so many wait: it makes some reads itself. */
const waitingForPage = 20;
/** The longest time that one read counts as: it may have waited for the storage or for others. */
const readMsAtMost = 50;
/** Beyond this number the share that was used least recently is forgotten. */
const sharesAtMost = 1_000;

interface Share {
  turns: Turns;
  busy: SharedRate;
}

/** What is made for members: pages and calls that read. Each has a share of the time, from however many addresses and sessions. */
export class MemberBudgets implements MemberShares {
  #turns = new Turns(underWayAtMost);
  /** The last used last. */
  #shares = new Map<number, Share>();
  readonly #isOff: boolean;

  constructor({ isOff = false } = {}) {
    this.#isOff = isOff;
  }

  refuseOver(userId: number): void {
    const share = this.#shares.get(userId);
    if (!share) return;
    const wait = share.busy.secondsToWait(0);
    if (wait > 0 || share.turns.waiting >= waitingForPage) throw tooMany(Math.max(1, wait));
  }

  async run<T>(userId: number, make: () => Promise<T> | T): Promise<T> {
    if (this.#isOff) return make();
    const { turns, busy } = this.#shareOf(userId);
    const wait = busy.secondsToWait(0);
    if (wait > 0 || turns.waiting >= waitingOfMember) throw tooMany(Math.max(1, wait));
    for (const row of [turns, this.#turns]) {
      const turn = row.enter();
      if (turn) await turn;
    }
    const began = performance.now();
    try {
      return await make();
    } finally {
      busy.spend(Math.min(readMsAtMost, performance.now() - began));
      this.#turns.leave();
      turns.leave();
    }
  }

  #shareOf(userId: number): Share {
    const share = this.#shares.get(userId) ?? {
      turns: new Turns(underWayOfMember, { sharesTurns: false }),
      busy: new SharedRate(memberMs),
    };
    this.#shares.delete(userId);
    this.#shares.set(userId, share);
    if (this.#shares.size > sharesAtMost) this.#shares.delete(this.#shares.keys().next().value!);
    return share;
  }
}

const tooMany = (seconds: number): ApiError =>
  new ApiError('TOO_MANY_REQUESTS', { retryAfter: seconds, limit: 'reads' });
