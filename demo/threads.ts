import type { Random } from './random.ts';
import type { Subject } from './subjects.ts';

/** A post or reply in a thread. */
export interface Said {
  post: number;
  author: number;
  /** `own`: a reply of the thread's author; `welcome`: a reply to such a reply; `exchange`: part of a talk of two people. */
  kind: 'root' | 'reply' | 'own' | 'welcome' | 'exchange';
  /** 0 for the root post. */
  depth: number;
  /** The post it replies to. */
  to: Said | null;
}

export interface Thread {
  subject: Subject;
  root: Said;
  replies: Said[];
  /** Texts of the replies, to avoid repetitions. */
  texts: Set<string>;
  /** The share of replies to the root post. */
  rootShare: number;
  /** two people who reply to each other: the last reply, and how many are still to come. */
  exchange: { last: Said; left: number } | null;
}

const maxReplies = 120;
const maxDepth = 12;
const discussionAtLeast = 5;
const discussionAtMost = 300;

/** The share of replies in the posts while nothing is discussed, and during a discussion. */
const quietReplyShare = 0.25;
const discussionReplyShare = 0.7;
/** The share of the replies written during a discussion that belong to it. */
const attention = 0.9;
/** The share of the time in which there is a discussion. */
const discussedShare = 1 / 3;

/**
 * Recent threads that can get replies. Each reply adds a ticket, so active threads are picked more often. From time to
 * time one thread becomes the discussion that most replies belong to, until it has the size chosen for it.
 */
export class Threads {
  #random: Random;
  #tickets: Thread[] = [];
  #reach: number;
  #discussion: { thread: Thread; size: number } | null = null;
  #maxSize: number;
  #chanceToStart: number;

  /** `reach`: mean distance of a pick from the newest ticket, in tickets. `posts`: the size of the wall. */
  constructor(random: Random, reach: number, posts: number) {
    this.#random = random;
    this.#reach = reach;
    this.#maxSize = Math.min(discussionAtMost, Math.max(12, Math.floor(posts / 20)));
    const meanSteps = Math.sqrt(discussionAtLeast * this.#maxSize) / (discussionReplyShare * attention);
    const quietSteps = meanSteps * (1 / discussedShare - 1);
    this.#chanceToStart = 1 / (quietSteps * (1 - quietReplyShare));
  }

  get some(): boolean {
    return this.#tickets.length > 0;
  }

  /** The share of replies in the posts at present. */
  get replyShare(): number {
    return this.#discussion ? discussionReplyShare : quietReplyShare;
  }

  open({ subject, root, tickets }: { subject: Subject; root: Said; tickets: number }): void {
    const rootShare = 0.3 + 0.5 * this.#random.next();
    const thread: Thread = { subject, root, replies: [], texts: new Set(), rootShare, exchange: null };
    if (!this.#discussion && this.#random.chance(this.#chanceToStart))
      this.#discussion = { thread, size: this.#size() };
    for (let i = 0; i < tickets; i += 1) this.#tickets.push(thread);
    // Old tickets are dropped in bulk, because slicing for each one would be slow.
    if (this.#tickets.length > this.#reach * 16) this.#tickets = this.#tickets.slice(-this.#reach * 8);
  }

  /** Small discussions are frequent, large ones rare: the density falls with the power 1.5 of the size. */
  #size(): number {
    const [most, least] = [discussionAtLeast ** -0.5, this.#maxSize ** -0.5];
    return Math.round((most - this.#random.next() * (most - least)) ** -2);
  }

  pick(): Thread {
    if (this.#discussion && this.#random.chance(attention)) return this.#discussion.thread;
    const back = Math.floor(this.#random.exponential(this.#reach));
    return this.#tickets[this.#tickets.length - 1 - Math.min(back, this.#tickets.length - 1)]!;
  }

  /** The post that the next reply in the thread is to: the talk of two people, the root post or a recent reply. */
  target({ root, replies, exchange, rootShare }: Thread): Said {
    const random = this.#random;
    if (exchange && random.chance(0.6)) return exchange.last;
    if (random.chance(rootShare)) return root;
    const recent = replies.at(-1 - random.below(5));
    return recent && recent.depth < maxDepth ? recent : root;
  }

  addReply(thread: Thread, reply: Said): void {
    thread.replies.push(reply);
    thread.exchange = this.#exchangeAfter(thread.exchange, reply);
    const discussion = this.#discussion?.thread === thread ? this.#discussion : null;
    if (thread.replies.length < (discussion?.size ?? maxReplies)) {
      this.#tickets.push(thread);
    } else if (discussion) {
      this.#discussion = null;
      this.#tickets = this.#tickets.filter((other) => other !== thread);
    }
  }

  #exchangeAfter(exchange: Thread['exchange'], reply: Said): Thread['exchange'] {
    if (reply.depth === maxDepth) return null;
    if (exchange && reply.to === exchange.last)
      return exchange.left > 1 ? { last: reply, left: exchange.left - 1 } : null;
    if (exchange || reply.depth < 2 || !this.#random.chance(0.12)) return exchange;
    return { last: reply, left: 2 + this.#random.below(10) };
  }
}
