/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, not including, 1. */
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
    for (let left = result.length; left > 1; left -= 1) {
      const other = this.below(left);
      [result[left - 1], result[other]] = [result[other]!, result[left - 1]!];
    }
    return result;
  }

  /** Mostly small, now and then far away. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  /** At least 1, mostly near it; the smaller `alpha`, the heavier the tail. */
  pareto(alpha: number): number {
    return (1 - this.next()) ** (-1 / alpha);
  }
}
