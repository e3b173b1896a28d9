/** Uses that many clients share: at most `burst` at once, and `perSecond` in the long run. */
interface Rate {
  burst: number;
  perSecond: number;
}

/**
 * Limits what a group of clients may do together in this process. Unlike a budget in the database it costs nothing, so that
 * a refused request is free.
 */
export class SharedRate {
  #rate: Rate;
  #left: number;
  #countedAt = performance.now();

  constructor(rate: Rate) {
    this.#rate = rate;
    this.#left = rate.burst;
  }

  /** The seconds until so many uses are there; 0 if they are. */
  secondsToWait(uses = 1): number {
    const { burst, perSecond } = this.#rate;
    const now = performance.now();
    this.#left = Math.min(burst, this.#left + ((now - this.#countedAt) / 1_000) * perSecond);
    this.#countedAt = now;
    return this.#left < uses ? Math.ceil((uses - this.#left) / perSecond) : 0;
  }

  /** May spend more than is there. */
  spend(uses = 1): void {
    this.#left -= uses;
  }
}
