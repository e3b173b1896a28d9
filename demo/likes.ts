import type { Random } from './random.ts';

export interface DemoLike {
  post: number;
  person: number;
}

/** Schedules the likes of each post for later steps. */
export class Likes {
  #random: Random;
  #due = new Map<number, DemoLike[]>();
  #reach: number;

  /** `reach`: mean distance of a like from its post, in posts. */
  constructor(random: Random, reach: number) {
    this.#random = random;
    this.#reach = reach;
  }

  /** Schedules up to `count` likes by distinct people among the first `people`, without the author. */
  plan(post: number, author: number, count: number, people: number): void {
    const likers = new Set<number>();
    for (let tries = count * 3; likers.size < count && tries > 0; tries -= 1) {
      likers.add(Math.floor(people * this.#random.next() ** 1.5));
    }
    likers.delete(author);
    for (const person of likers) {
      const at = post + 1 + Math.floor(this.#random.exponential(this.#reach));
      const due = this.#due.get(at);
      if (due) due.push({ post, person });
      else this.#due.set(at, [{ post, person }]);
    }
  }

  /** Removes and returns the likes that are due with post number `post`. */
  take(post: number): DemoLike[] {
    const due = this.#due.get(post) ?? [];
    this.#due.delete(post);
    return due;
  }
}
