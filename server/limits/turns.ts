import { waited } from '../waits.ts';

/** A piece of work may begin within this time after the first one began in the same turn of the event loop. */
const turnMs = 3;

/**
 * Runs pieces of work, such as the rendering of a page, a few at a time. When pieces have taken `turnMs` in one turn of the event
 * loop, the next piece waits for the next turn, so that cached responses are sent in between. One large page takes that long.
 */
export class Turns {
  readonly #atMost: number;
  readonly #sharesTurns: boolean;
  #underWay = 0;
  /** When the first piece of work of this turn of the event loop began. */
  #turnBegan: number | undefined;
  #waiting: Array<() => void> = [];

  /** `sharesTurns`: the limit `turnMs` applies. It is not needed if each piece of work also enters another `Turns` that has it. */
  constructor(atMost: number, { sharesTurns = true } = {}) {
    this.#atMost = atMost;
    this.#sharesTurns = sharesTurns;
  }

  get underWay(): number {
    return this.#underWay;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get areTaken(): boolean {
    return this.#underWay === this.#atMost || this.#waiting.length > 0;
  }

  /** `isFirst`: the work goes before all others that wait. */
  async run<T>(work: () => Promise<T>, isFirst = false): Promise<T> {
    const turn = this.enter(isFirst);
    if (turn) await turn;
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** Begins at once, or returns a promise to wait for. The caller must call `leave` afterwards. */
  enter(isFirst = false): Promise<void> | undefined {
    if (!this.areTaken && !this.#isTurnOver()) {
      this.#take();
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    if (isFirst) this.#waiting.unshift(resolve);
    else this.#waiting.push(resolve);
    return waited('turn', () => promise);
  }

  leave(): void {
    this.#underWay -= 1;
    this.#begin();
  }

  #isTurnOver(): boolean {
    return this.#turnBegan !== undefined && performance.now() - this.#turnBegan >= turnMs;
  }

  #take(): void {
    this.#underWay += 1;
    if (!this.#sharesTurns || this.#turnBegan !== undefined) return;
    this.#turnBegan = performance.now();
    setImmediate(() => {
      this.#turnBegan = undefined;
      this.#begin();
    });
  }

  #begin(): void {
    if (this.#isTurnOver() || this.#underWay === this.#atMost) return;
    const next = this.#waiting.shift();
    if (!next) return;
    this.#take();
    next();
  }
}
