import { limits } from '#contract/limits.ts';
import { type Mood, moods, phrases } from './corpus.ts';
import type { Person, Style } from './people.ts';
import { phrase, type Phrase } from './phrase.ts';
import { Deck, type Random } from './random.ts';
import type { Subject } from './subjects.ts';

/** A post or reply in a thread. */
export interface Said {
  post: number;
  author: number;
  /** `own`: a reply of the thread's author; `welcome`: a reply to such a reply; `exchange`: part of a talk of two people. */
  kind: 'root' | 'reply' | 'own' | 'welcome' | 'exchange';
  /** 0 for the root post. */
  depth: number;
  /** The post to which it replies. */
  to: Said | null;
}

export interface Thread {
  subject: Subject;
  root: Said;
  replies: Said[];
  /** Texts of the replies, to avoid repetitions. */
  texts: Set<string>;
  rootShare: number;
  /** Two people who reply to each other: the last reply, and the number of replies that will follow. */
  exchange: { last: Said; remaining: number } | null;
}

const maxReplies = 120;
const maxDepth = 12;
const discussionAtLeast = 5;
const discussionAtMost = 300;

/** The shares of replies among all posts: while there is no discussion, and during a discussion. */
const quietReplyShare = 0.25;
const discussionReplyShare = 0.7;
/** The share of the replies during a discussion that belong to the discussion. */
const attention = 0.9;
/** The share of the time in which there is a discussion. */
const discussedShare = 1 / 3;

/**
 * Recent threads that can get replies. Each reply adds a ticket, so active threads are picked more often. From time to
 * time one thread becomes the discussion: it gets most replies until it has the size chosen for it.
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

  open({ subject, root, tickets }: { subject: Subject; root: Said; tickets: number }): Thread {
    const rootShare = 0.3 + 0.5 * this.#random.next();
    const thread: Thread = { subject, root, replies: [], texts: new Set(), rootShare, exchange: null };
    if (!this.#discussion && this.#random.chance(this.#chanceToStart))
      this.#discussion = { thread, size: this.#size() };
    for (let i = 0; i < tickets; i += 1) this.#tickets.push(thread);
    // Old tickets are dropped in bulk, because slicing for each one would be slow.
    if (this.#tickets.length > this.#reach * 16) this.#tickets = this.#tickets.slice(-this.#reach * 8);
    return thread;
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

  /** The post that gets the next reply: the last one of a talk of two people, the root post or a recent reply. */
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
      return exchange.remaining > 1 ? { last: reply, remaining: exchange.remaining - 1 } : null;
    if (exchange || reply.depth < 2 || !this.#random.chance(0.12)) return exchange;
    return { last: reply, remaining: 2 + this.#random.below(10) };
  }
}

const finalStop = /(?<!\.)\.$/;
const severalSentences = /[.!?:]\s/;

function inStyle(text: string, style: Style, mood: Mood, random: Random): string {
  switch (style) {
    case 'neat':
      return text;
    case 'loose':
      return text.replace(finalStop, '');
    case 'lowercase':
      if (severalSentences.test(text)) return text.replace(finalStop, '');
      return text[0]!.toLowerCase() + text.slice(1).replace(finalStop, '');
    case 'smiling':
      return random.chance(0.5)
        ? text.replace(finalStop, mood === 'grumble' ? ' :(' : random.pick([')', '))', ' :)']))
        : text;
    case 'emoji':
      return random.chance(0.5) ? `${text} ${random.pick(phrases.emoji[mood])}` : text;
  }
}

type ByMood = Record<Mood, Deck<Phrase>>;

/** Generates the texts of posts and replies from the corpus. */
export class Speech {
  #random: Random;
  #reactions: ByMood;
  #openings: ByMood;
  #preludes: ByMood;
  #closings: ByMood;
  #authorRemarks: ByMood;
  #remarks: Deck<Phrase>;
  #welcomes: Deck<Phrase>;
  #exchanges: Deck<Phrase>;

  constructor(random: Random) {
    this.#random = random;
    const deck = (list: readonly string[]) => new Deck(random, list.map(phrase));
    const byMood = (lists: Record<Mood, readonly string[]>) =>
      Object.fromEntries(moods.map((mood) => [mood, deck(lists[mood])])) as ByMood;
    this.#reactions = byMood(phrases.reactions);
    this.#openings = byMood(phrases.openings);
    this.#preludes = byMood(phrases.preludes);
    this.#closings = byMood(phrases.closings);
    this.#authorRemarks = byMood(phrases.authorRemarks);
    this.#remarks = deck(phrases.remarks);
    this.#welcomes = deck(phrases.welcomes);
    this.#exchanges = deck(phrases.exchanges);
  }

  post(person: Person, subject: Subject): string {
    const random = this.#random;
    let text = subject.texts.deal()(random, person.gender);
    const add = (separator: string, piece: string): void => {
      // Leaves room for characters that the style adds.
      if (text.length + separator.length + piece.length <= limits.postLength - 4) text += separator + piece;
    };
    if (subject.items.length > 0) {
      const numbered = random.chance(0.4);
      const items = random.shuffled(subject.items).slice(0, 3 + random.below(4));
      items.forEach((item, i) => add('\n', `${numbered ? `${i + 1}.` : '—'} ${item}`));
      return text;
    }
    if (random.chance(0.15) && !text.includes('\n')) {
      text = `${this.#say(this.#preludes[subject.mood], person)} ${text}`;
    }
    const separator = random.pick([' ', ' ', ' ', ' ', '\n', '\n\n']);
    const sequels = Math.floor(random.exponential(0.9));
    for (const sequel of random.shuffled(subject.more).slice(0, sequels)) add(separator, sequel(random, person.gender));
    if (random.chance(0.2)) add(separator, this.#say(this.#closings[subject.mood], person));
    return inStyle(text, person.style, subject.mood, random);
  }

  /** A reply to the post that starts the thread. */
  reply(person: Person, subject: Subject): string {
    const { mood } = subject;
    if (this.#random.chance(0.3)) return this.#styled(this.#say(this.#reactions[mood], person), person, mood);
    const opening = this.#random.chance(0.25) ? `${this.#say(this.#openings[mood], person)} ` : '';
    return this.#styled(opening + this.#say(subject.replies, person), person, mood);
  }

  remark(person: Person, { mood }: Subject): string {
    return this.#styled(this.#say(this.#remarks, person), person, mood);
  }

  authorRemark(person: Person, { mood }: Subject): string {
    return this.#styled(this.#say(this.#authorRemarks[mood], person), person, mood);
  }

  /** A reply to a reply of the thread's author. */
  welcome(person: Person): string {
    return this.#styled(this.#say(this.#welcomes, person), person, 'joy');
  }

  /** A reply to somebody who has replied to the same person before. */
  exchange(person: Person, { mood }: Subject): string {
    return this.#styled(this.#say(this.#exchanges, person), person, mood);
  }

  #say(deck: Deck<Phrase>, person: Person): string {
    return deck.deal()(this.#random, person.gender);
  }

  #styled(text: string, person: Person, mood: Mood): string {
    return inStyle(text, person.style, mood, this.#random);
  }
}
