import type { Random } from './random.ts';
import type { Subject } from './subjects.ts';

/** A post or reply in a thread. */
export interface Said {
  post: number;
  author: number;
  /** `own`: a reply of the thread's author; `welcome`: a reply to such a reply. */
  kind: 'root' | 'reply' | 'own' | 'welcome';
}

export interface Thread {
  subject: Subject;
  root: Said;
  replies: Said[];
  /** Texts of the replies, to avoid repetitions. */
  texts: Set<string>;
}

const maxReplies = 120;

/** Recent threads that can get replies. Each reply adds a ticket, so active threads are picked more often. */
export class Threads {
  #random: Random;
  #tickets: Thread[] = [];
  #reach: number;

  /** `reach`: mean distance of a pick from the newest ticket, in tickets. */
  constructor(random: Random, reach: number) {
    this.#random = random;
    this.#reach = reach;
  }

  get some(): boolean {
    return this.#tickets.length > 0;
  }

  open(thread: Thread, tickets: number): void {
    for (let i = 0; i < tickets; i += 1) this.#tickets.push(thread);
    // Old tickets are dropped in bulk, because slicing for each one would be slow.
    if (this.#tickets.length > this.#reach * 16) this.#tickets = this.#tickets.slice(-this.#reach * 8);
  }

  pick(): Thread {
    const back = Math.floor(this.#random.exponential(this.#reach));
    return this.#tickets[this.#tickets.length - 1 - Math.min(back, this.#tickets.length - 1)]!;
  }

  addReply(thread: Thread, reply: Said): void {
    thread.replies.push(reply);
    if (thread.replies.length < maxReplies) this.#tickets.push(thread);
  }
}
