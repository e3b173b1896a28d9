import type { Random } from './random.ts';

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
