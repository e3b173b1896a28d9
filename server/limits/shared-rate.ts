/** Uses that many clients share: at most `burst` at once, and `perSecond` in the long run. */
interface Rate {
  burst: number;
  perSecond: number;
}

/**
 * Limits what a group of clients may do together in this process. Unlike a budget in the database it needs no query, so a
 * refused request costs almost nothing.
 */
export class SharedRate {
  #rate: Rate;
  #remaining: number;
  #countedAt = performance.now();

  constructor(rate: Rate) {
    this.#rate = rate;
    this.#remaining = rate.burst;
  }

  /** The seconds until this number of uses is available; 0 if it is available now. */
  secondsToWait(uses = 1): number {
    const { burst, perSecond } = this.#rate;
    const now = performance.now();
    this.#remaining = Math.min(burst, this.#remaining + ((now - this.#countedAt) / 1_000) * perSecond);
    this.#countedAt = now;
    return this.#remaining < uses ? Math.ceil((uses - this.#remaining) / perSecond) : 0;
  }

  /** May spend more uses than are available. */
  spend(uses = 1): void {
    this.#remaining -= uses;
  }
}
