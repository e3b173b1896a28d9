import type { FastifyRequest } from 'fastify';
import type { MemberShares } from '../http/serve.ts';
import { ApiError } from '../http/thrown-api-error.ts';
import { SharedRate } from './shared-rate.ts';
import { Turns } from './turns.ts';

/** Number of pages and reads that are made at the same time for visitors together, and for members together. */
const underWayAtMost = 4;
/** A visitor is refused when this much work, in milliseconds, or this many requests wait already. The count bounds the memory. */
const ahead = { ms: 2_000, count: 500 };
/** The assumed duration of a piece of work until some have been measured. */
const firstGuessMs = 10;
/** The weight of the last duration in the moving average. */
const learning = 0.1;
/** Milliseconds of work for visitors: half of the time in the long run. */
const busyMs = { burst: 3_000, perSecond: 500 };
const retryAfter = 5;
/** A page that is not cached counts as this many reads. */
const readsOfPage = 5;

/** Counts reads of an address; returns more than 0 when the address has to wait. */
type CountReads = (ip: string, reads: number) => number;

/**
 * Limits the pages and responses of the API that are made for visitors because they are not cached. A few are made at a time, and
 * as many wait as can be made in 2 s. All visitors together have a share of the time (`busyMs`), so that requests from thousands
 * of addresses leave the rest of the time to members.
 */
export class VisitorShare {
  #turns = new Turns(underWayAtMost);
  #countReads: CountReads;
  #busy: SharedRate | undefined;
  /** The time of the last call of `#spend`. The time since then is not spent from `#busy` yet. */
  #spentAt = 0;
  /** Moving average of the milliseconds that a piece of work adds while others are under way. */
  #usualMs = firstGuessMs;
  /** When a piece of work ended last or, after a pause, when the first piece under way began. */
  #progressAt = 0;

  /** `isOff`: `run` limits only the work under way and the waiting requests, not the share of the time, and `read` limits nothing. */
  constructor(countReads: CountReads, { isOff = false } = {}) {
    this.#countReads = countReads;
    this.#busy = isOff ? undefined : new SharedRate(busyMs);
  }

  get isBusy(): boolean {
    return this.#turns.areTaken || this.#secondsToWait() > 0;
  }

  /** Counts a request for a page that is not cached, even if it waits for the rendering of the same page for another request. */
  count({ ip }: FastifyRequest): void {
    // The request itself has been counted as one read.
    const wait = this.#countReads(ip, readsOfPage - 1);
    if (wait > 0) throw new ApiError('TOO_MANY_REQUESTS', { retryAfter: wait, limit: 'reads' });
  }

  /** `isFirst`: for responses that are cached and outdated. They go first and are never refused: the size of the cache bounds them. */
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
        // Work that runs alone waits for the storage and for code that is not compiled yet. Beside others it would add a third of
        // this time or less, so only a share of its time counts.
        const share = isAlone && begunAt === this.#progressAt ? underWayAtMost : 1;
        const ms = (now - this.#progressAt) / share;
        this.#usualMs += learning * (ms - this.#usualMs);
        this.#progressAt = now;
      }
    }, isFirst);
  }

  /** Makes the response of a call of the API or of a file. `isFree`: it is made for a member, or costs little (`isCheap`). */
  read<T>(isFree: boolean, make: () => Promise<T>): Promise<T> {
    return isFree || this.#busy === undefined ? make() : this.run(make);
  }

  /** Renders a page that is made for one visitor. */
  async forVisitor<T>(request: FastifyRequest, render: () => Promise<T>): Promise<T> {
    this.count(request);
    return this.run(render);
  }

  /** Whether too much waits. If the work under way takes longer than usual, the waiting work is expected to take as long. */
  #isFull(): boolean {
    const { underWay, waiting } = this.#turns;
    if (underWay === 0) return false;
    const eachMs = Math.max(this.#usualMs, (performance.now() - this.#progressAt) / underWayAtMost);
    return waiting >= ahead.count || (underWay + waiting) * eachMs >= ahead.ms;
  }

  /** Spends the time since the last call. `underWay`: the number of pieces of work under way in that time. */
  #spend(underWay: number): void {
    const now = performance.now();
    if (underWay > 0) this.#busy?.spend(now - this.#spentAt);
    else this.#progressAt = now;
    this.#spentAt = now;
  }

  #secondsToWait(): number {
    return this.#busy?.secondsToWait(0) ?? 0;
  }

  /** The limit `reads` is one that `SecurityLog` does not log. */
  #tooMany(): ApiError {
    return new ApiError('TOO_MANY_REQUESTS', {
      retryAfter: Math.max(retryAfter, this.#secondsToWait()),
      limit: 'reads',
      message: 'Сейчас стену открывает слишком много людей сразу. Попробуйте через несколько секунд.',
    });
  }
}

/** Milliseconds of work for one member: a quarter of the time in the long run. */
const memberMs = { burst: 3_000, perSecond: 250 };
/** Half of `underWayAtMost`, so that a member who sends many requests at once leaves the other half to others. */
const underWayOfMember = 2;
const waitingOfMember = 50;
/** A page is refused while this many reads of the member wait, because the page itself makes some reads. */
const waitingForPage = 20;
/** One read counts as this time at most, because it may have waited for the storage or for other work. */
const readMsAtMost = 50;
/** Maximum number of shares. Then the share that was used least recently is forgotten. */
const sharesAtMost = 1_000;

interface Share {
  turns: Turns;
  busy: SharedRate;
}

/** Limits pages and reads made for members. Each member has a share of the time, whatever the number of addresses and sessions. */
export class TimedMemberShares implements MemberShares {
  #turns = new Turns(underWayAtMost);
  /** Shares by member, in the order of their last use. */
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
