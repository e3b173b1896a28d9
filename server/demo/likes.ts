import type { Random } from './random.ts';

export interface DemoLike {
  post: number;
  person: number;
}

/** Likes come after their post; this keeps them until their time. */
export class Likes {
  #random: Random;
  #due = new Map<number, DemoLike[]>();
  #reach: number;

  /** `reach`: how many posts later a like usually comes. */
  constructor(random: Random, reach: number) {
    this.#random = random;
    this.#reach = reach;
  }

  /** Different people of the first `people`, none of them the author, will like the post. */
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

  /** The likes given by the time post number `post` appears. */
  take(post: number): DemoLike[] {
    const due = this.#due.get(post) ?? [];
    this.#due.delete(post);
    return due;
  }
}
