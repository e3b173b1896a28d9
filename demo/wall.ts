import { inOrder, moments } from './clock.ts';
import { inventPeople, type Person } from './people.ts';
import { Random } from './random.ts';
import { type Said, Speech, type Thread, Threads } from './talk.ts';
import { Subjects } from './subjects.ts';

interface DemoLike {
  post: number;
  person: number;
}

/** Schedules the likes of each post for later steps. */
class Likes {
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

interface DemoPost {
  /** People and posts are numbered from 0 in order of appearance. */
  author: number;
  text: string;
  isModified: boolean;
  parent: number | null;
  replied: number | null;
  /** 0 for a root post. */
  depth: number;
}

/** One step of the history: new people, one post, and the likes that are due. */
export interface Step {
  at: number;
  joined: Person[];
  post: DemoPost;
  likes: DemoLike[];
}

export interface WallPlan {
  posts: number;
  /** Unix seconds of the newest post. */
  until: number;
  seed: number;
  /** Usernames (ASCII lower case) that are already in use. */
  taken: Iterable<string>;
}

const days = 730;

/** The last posts of the history are lively: newcomers write, and many posts get replies. */
const livelyPosts = 230;
/** This number of the last posts was written today, within these hours. */
const todaysPosts = 60;
const todaysHours = 20;
/** Number of discussions in which people write today. */
const todaysTalks = 5;
/** The share of the newest 100 root posts that nobody replies to. */
const silentShare = 0.35;

export function peopleFor(posts: number): number {
  return Math.min(5_000, Math.max(12, Math.ceil(posts / 25)));
}

/** Generates the history of a wall, post by post. The same plan gives the same wall. */
export function* wall({ posts, until, seed, taken }: WallPlan): Generator<Step> {
  const random = new Random(seed);
  const people = inventPeople(random, peopleFor(posts), taken);
  const founders = Math.min(people.length, 40);
  const perDay = posts / days;
  const subjects = new Subjects(random);
  const speech = new Speech(random);
  const threads = new Threads(random, clamp(perDay * 2, 30, 1_000), posts);
  const likes = new Likes(random, clamp(perDay / 4, 8, 300));

  const today = Math.min(todaysPosts, Math.floor(posts / 5));
  const lively = Math.min(livelyPosts, Math.floor(posts / 2));
  /** The newest threads, the last one at the end. */
  let newest: Thread[] = [];
  const talks: Thread[] = [];

  let present = 0;
  let number = 0;
  const times = moments(posts - today, until, random);
  for (const at of inOrder(times, [...moments(today, until, random, todaysHours)])) {
    const grown = founders + Math.ceil(((people.length - founders) * (number + 1)) / posts);
    const joined = people.slice(present, grown);
    present = grown;

    const appeal = random.pareto(1.3);
    const post = threads.some && random.chance(replyShare()) ? reply() : root(at, appeal);
    const wanted = Math.floor((appeal - 0.8) * (post.replied === null ? 1.6 : 0.6));
    yield { at, joined, post, likes: likes.take(number) };
    const ceiling = Math.floor(present * (0.1 + 0.3 * random.next()));
    likes.plan(number, post.author, Math.min(wanted, ceiling), present);
    number += 1;
  }

  function isAmongLast(steps: number): boolean {
    return posts - number <= steps;
  }

  function replyShare(): number {
    if (isAmongLast(today)) return 0.75;
    return isAmongLast(lively) ? 0.55 : threads.replyShare;
  }

  function root(at: number, appeal: number): DemoPost {
    const author = isAmongLast(lively) && random.chance(0.2) ? newcomer() : randomAuthor();
    const subject = subjects.at(at);
    const said: Said = { post: number, author, kind: 'root', depth: 0, to: null };
    const thread = threads.open({ subject, root: said, tickets: Math.min(150, Math.floor(appeal)) });
    newest = [...newest.slice(-99), thread];
    return entry(author, speech.post(people[author]!, subject), null);
  }

  function reply(): DemoPost {
    const thread = isAmongLast(lively) ? livelyThread() : threads.pick();
    const target = threads.target(thread);
    const { author, kind } = replierOf(thread, target);
    let text = words(thread, target, kind, author);
    for (let tries = 8; thread.texts.has(text) && tries > 0; tries -= 1) text = words(thread, target, kind, author);
    thread.texts.add(text);
    threads.addReply(thread, { post: number, author, kind, depth: target.depth + 1, to: target });
    return entry(author, text, { parent: thread.root.post, replied: target.post, depth: target.depth + 1 });
  }

  function livelyThread(): Thread {
    if (isAmongLast(today) && random.chance(0.7)) return todaysTalk();
    const silent = newest.filter(({ replies }) => replies.length === 0);
    const near = silent.slice(isAmongLast(today) ? -6 : -40);
    const isQuiet = isAmongLast(today) || silent.length > silentShare * newest.length;
    return isQuiet && near.length > 0 ? random.pick(near) : threads.pick();
  }

  /** The thread for the next reply of today. Talks begin one after another on new root posts; the shortest gets every second reply. */
  function todaysTalk(): Thread {
    const begun = newest.at(-1 - random.below(5));
    const isDue = talks.length < todaysTalks && isAmongLast(today * (1 - talks.length / (todaysTalks + 1)));
    if (begun && isDue && !talks.includes(begun)) talks.push(begun);
    if (talks.length === 0) return threads.pick();
    const [shortest] = talks.toSorted((a, b) => a.replies.length - b.replies.length);
    return random.chance(0.5) ? shortest! : random.pick(talks);
  }

  function replierOf(
    { root: { author: host }, replies, exchange }: Thread,
    target: Said,
  ): Pick<Said, 'author' | 'kind'> {
    if (target.to && target === exchange?.last) return { author: target.to.author, kind: 'exchange' };
    if (target.kind === 'reply' && random.chance(replies.length < 30 ? 0.45 : 0.15))
      return { author: host, kind: 'own' };
    let author = randomAuthor();
    while (author === target.author || author === host) author = randomAuthor();
    return { author, kind: target.kind === 'own' ? 'welcome' : 'reply' };
  }

  function words({ subject }: Thread, target: Said, kind: Said['kind'], author: number): string {
    const person = people[author]!;
    if (kind === 'exchange') return speech.exchange(person, subject);
    if (kind === 'own') return speech.authorRemark(person, subject);
    if (kind === 'welcome') return speech.welcome(person);
    return target.kind === 'root' ? speech.reply(person, subject) : speech.remark(person, subject);
  }

  /** Early members write most: the probability falls with the rank. */
  function randomAuthor(): number {
    const head = 20;
    return Math.min(present - 1, Math.floor(head * ((present + head) / head) ** random.next() - head));
  }

  function newcomer(): number {
    return Math.max(0, present - 1 - random.below(6));
  }

  function entry(author: number, text: string, place: Pick<DemoPost, 'parent' | 'replied' | 'depth'> | null): DemoPost {
    return { author, text, isModified: random.chance(0.03), ...(place ?? { parent: null, replied: null, depth: 0 }) };
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.round(value)));
}
