import type { Random } from './random.ts';
import type { Subject } from './subjects.ts';

/** A post or reply as the thread remembers it. */
export interface Said {
  post: number;
  author: number;
  /** `own`: the thread's author answers. */
  kind: 'root' | 'reply' | 'own' | 'welcome';
}

export interface Thread {
  subject: Subject;
  root: Said;
  replies: Said[];
  /** Nobody says what was just said. */
  texts: Set<string>;
}

const longest = 120;

/** The threads people may still answer. What is talked about draws more talk: each reply is one more ticket. */
export class Threads {
  #random: Random;
  #tickets: Thread[] = [];
  #reach: number;

  /** `reach`: how many tickets back a reply usually goes. */
  constructor(random: Random, reach: number) {
    this.#random = random;
    this.#reach = reach;
  }

  get some(): boolean {
    return this.#tickets.length > 0;
  }

  open(thread: Thread, tickets: number): void {
    for (let i = 0; i < tickets; i += 1) this.#tickets.push(thread);
    // Old tickets are dropped now and then, not one by one.
    if (this.#tickets.length > this.#reach * 16) this.#tickets = this.#tickets.slice(-this.#reach * 8);
  }

  pick(): Thread {
    const back = Math.floor(this.#random.exponential(this.#reach));
    return this.#tickets[this.#tickets.length - 1 - Math.min(back, this.#tickets.length - 1)]!;
  }

  answered(thread: Thread, reply: Said): void {
    thread.replies.push(reply);
    if (thread.replies.length < longest) this.#tickets.push(thread);
  }
}
