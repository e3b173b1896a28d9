import { moments } from './clock.ts';
import { Likes, type DemoLike } from './likes.ts';
import { inventPeople, type Person } from './people.ts';
import { Random } from './random.ts';
import { Speech } from './speech.ts';
import { Subjects } from './subjects.ts';
import { Threads, type Said, type Thread } from './threads.ts';

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

  let present = 0;
  let number = 0;
  for (const at of moments(posts, until, random)) {
    const grown = founders + Math.ceil(((people.length - founders) * (number + 1)) / posts);
    const joined = people.slice(present, grown);
    present = grown;

    const appeal = random.pareto(1.3);
    const post = threads.some && random.chance(threads.replyShare) ? reply() : root(at, appeal);
    const wanted = Math.floor((appeal - 0.8) * (post.replied === null ? 1.6 : 0.6));
    yield { at, joined, post, likes: likes.take(number) };
    const ceiling = Math.floor(present * (0.1 + 0.3 * random.next()));
    likes.plan(number, post.author, Math.min(wanted, ceiling), present);
    number += 1;
  }

  function root(at: number, appeal: number): DemoPost {
    const author = randomAuthor();
    const subject = subjects.at(at);
    const said: Said = { post: number, author, kind: 'root', depth: 0, to: null };
    threads.open({ subject, root: said, tickets: Math.min(150, Math.floor(appeal)) });
    return entry(author, speech.post(people[author]!, subject), null);
  }

  function reply(): DemoPost {
    const thread = threads.pick();
    const target = threads.target(thread);
    const { author, kind } = replierOf(thread, target);
    let text = words(thread, target, kind, author);
    for (let tries = 8; thread.texts.has(text) && tries > 0; tries -= 1) text = words(thread, target, kind, author);
    thread.texts.add(text);
    threads.addReply(thread, { post: number, author, kind, depth: target.depth + 1, to: target });
    return entry(author, text, { parent: thread.root.post, replied: target.post, depth: target.depth + 1 });
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

  function entry(author: number, text: string, place: Pick<DemoPost, 'parent' | 'replied' | 'depth'> | null): DemoPost {
    return { author, text, isModified: random.chance(0.03), ...(place ?? { parent: null, replied: null, depth: 0 }) };
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.round(value)));
}
