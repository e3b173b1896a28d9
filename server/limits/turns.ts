import { waited } from '../waits.ts';

/** How much of a turn of the event loop may have passed for another work to begin in it. */
const turnMs = 3;

/**
 * Runs works, such as the rendering of a page, a few at a time. They begin in a turn of the event loop until they have taken some
 * milliseconds of it, as a large page does alone, so that cached responses go in between.
 */
export class Turns {
  readonly #atMost: number;
  readonly #sharesTurns: boolean;
  #underWay = 0;
  /** When the first of this turn of the event loop began. */
  #turnBegan: number | undefined;
  #waiting: Array<() => void> = [];

  /** `sharesTurns`: of the event loop. Within another row of works they need not. */
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

  /** `isFirst`: before all others that wait. */
  async run<T>(work: () => Promise<T>, isFirst = false): Promise<T> {
    const turn = this.enter(isFirst);
    if (turn) await turn;
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** Begins at once, or returns what to wait for. To be followed by `leave`. */
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
