/**
 * Deals every card before repeating one. The first half of the previous round is dealt first again, so that repetitions
 * are far apart.
 */
export class Deck<T> {
  #random: Random;
  #cards: T[];
  #dealt = 0;

  constructor(random: Random, cards: readonly T[]) {
    this.#random = random;
    this.#cards = random.shuffled(cards);
  }

  deal(): T {
    if (this.#dealt === this.#cards.length) {
      const half = Math.ceil(this.#cards.length / 2);
      this.#cards = [
        ...this.#random.shuffled(this.#cards.slice(0, half)),
        ...this.#random.shuffled(this.#cards.slice(half)),
      ];
      this.#dealt = 0;
    }
    return this.#cards[this.#dealt++]!;
  }
}

/** Seeded pseudorandom numbers (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  shuffled<T>(list: readonly T[]): T[] {
    const result = [...list];
    for (let remaining = result.length; remaining > 1; remaining -= 1) {
      const other = this.below(remaining);
      [result[remaining - 1], result[other]] = [result[other]!, result[remaining - 1]!];
    }
    return result;
  }

  /** An exponentially distributed number. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  /** A Pareto-distributed number of at least 1; the smaller `alpha`, the heavier the tail. */
  pareto(alpha: number): number {
    return (1 - this.next()) ** (-1 / alpha);
  }
}
