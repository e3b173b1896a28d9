import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Thread, ThreadNode } from '#contract/posts.ts';
import { deleteRemovedPost } from '../../server/features/posts/removed-posts.ts';
import { deleteUser } from '../../server/features/account/store.ts';
import { removePost, restore } from './moderation.ts';
import { runJobs } from './run-jobs.ts';
import type { Engine } from './engines.ts';
import { openWall, type Wall } from './wall.ts';

interface Place {
  id: number;
  repliedTo: number | null;
  author: number;
  state: 'shown' | 'removed' | 'gone';
}

/** A step of a discussion. Numbers pick a post or an author from those there are. */
export type Step =
  | { kind: 'reply'; to: number; author: number }
  | { kind: 'delete' | 'remove' | 'restore' | 'forget'; of: number }
  | { kind: 'leave'; author: number };

/** A model of a discussion, changed together with the wall, without the stored counts and gaps. */
export class Discussion {
  readonly places = new Map<number, Place>();
  #wall: Wall;
  #authors: number[];
  root = 0;

  private constructor(wall: Wall, authors: number[]) {
    this.#wall = wall;
    this.#authors = authors;
  }

  static async start(wall: Wall, authors: number[]): Promise<Discussion> {
    const discussion = new Discussion(wall, authors);
    const [author] = authors as [number];
    discussion.root = await wall.post(author, 'начало');
    discussion.places.set(discussion.root, { id: discussion.root, repliedTo: null, author, state: 'shown' });
    return discussion;
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'leave') await this.#leave(step.author);
    else if (step.kind === 'reply') await this.#reply(step.to, step.author);
    else await this.#change(step.kind, step.of);
  }

  async #reply(to: number, by: number): Promise<void> {
    const answered = pick(this.#in('shown'), to);
    const author = pick(this.#authors, by);
    if (!answered || author === undefined) return;
    const id = await this.#wall.reply(author, answered.id, `ответ на ${answered.id}`);
    this.places.set(id, { id, repliedTo: answered.id, author, state: 'shown' });
  }

  async #change(kind: 'delete' | 'remove' | 'restore' | 'forget', of: number): Promise<void> {
    const place = pick(this.#in(kind === 'delete' || kind === 'remove' ? 'shown' : 'removed'), of);
    if (!place) return;
    const { id } = place;
    if (kind === 'delete') await this.#wall.remove(id);
    if (kind === 'remove') await removePost(this.#wall, String(id));
    if (kind === 'forget') await this.#wall.db.tx((tx) => deleteRemovedPost(tx, id, place.author));
    if (kind === 'restore') {
      assert.equal(await restore(this.#wall, String(id)), 'restored');
      this.#returnBelow(place);
    }
    place.state = kind === 'restore' ? 'shown' : kind === 'remove' ? 'removed' : 'gone';
  }

  /** Where nothing is left of the replied post, not even a gap, what is restored is found below the root. */
  #returnBelow({ repliedTo }: Place): void {
    for (let above = repliedTo; above !== null && !this.#isPlace(above);) {
      const place = this.places.get(above)!;
      if (place.state === 'gone' && above !== this.root) place.repliedTo = this.root;
      above = place.repliedTo;
    }
  }

  async #leave(by: number): Promise<void> {
    if (this.#authors.length < 2) return;
    const author = pick(this.#authors, by)!;
    this.#authors = this.#authors.filter((other) => other !== author);
    // A job that ran a moment ago is not due again.
    this.#wall.clock.now += 61;
    await this.#wall.db.tx((tx) => deleteUser(tx, author, this.#wall.clock.now));
    for (const place of this.places.values()) if (place.author === author) place.state = 'gone';
    const before = await readWhole(this.#wall, this.root, { limit: 7 }).catch(() => undefined);
    if (before) {
      const shown = [...before.nodes.values()].filter((node) => node.post).map(({ id }) => Number(id));
      const expected = this.#in('shown')
        .map(({ id }) => id)
        .filter((id) => id !== this.root);
      assert.deepEqual(
        shown.toSorted((a, b) => a - b),
        expected.toSorted((a, b) => a - b),
      );
    }
    await runJobs(this.#wall.db, this.#wall.clock.now);
  }

  #in(state: Place['state']): Place[] {
    return [...this.places.values()].filter((place) => place.state === state);
  }

  #isPlace(id: number): boolean {
    return this.places.get(id)!.state === 'shown' || this.repliesTo(id).length > 0;
  }

  /** The replies to a post and the gaps directly below it, oldest first. */
  repliesTo(id: number): number[] {
    return [...this.places.values()]
      .filter(({ repliedTo }) => repliedTo === id)
      .map((place) => place.id)
      .filter((below) => this.#isPlace(below))
      .toSorted((a, b) => a - b);
  }

  get isRootShown(): boolean {
    return this.places.get(this.root)!.state === 'shown';
  }

  /** All replies that can be seen, in the order of their ids. */
  get replies(): number[] {
    return this.#in('shown')
      .map(({ id }) => id)
      .filter((id) => id !== this.root);
  }

  /** The posts above a reply that can be seen, from the root down, and the number of places above it. */
  above(id: number): { shown: number[]; depth: number } {
    const way: number[] = [];
    for (let above = this.places.get(id)!.repliedTo; above !== null; above = this.places.get(above)!.repliedTo) {
      way.unshift(above);
    }
    const near = [...new Set([...way.slice(0, 1), ...way.slice(-5)])];
    return { shown: near.filter((each) => this.places.get(each)!.state === 'shown'), depth: way.length };
  }
}

const pick = <T>(from: readonly T[], number: number): T | undefined => from[number % from.length];

export interface Whole {
  /** All nodes by id, each with the nodes directly below it. */
  nodes: Map<string, Omit<ThreadNode, 'more'>>;
  replies: string[];
  /** The bodies of the responses. */
  bodies: string[];
}

/** Reads a discussion to its end, through the cursors of the list and of every branch. */
export async function readWhole(
  wall: Pick<Wall, 'get'>,
  id: number,
  { order = 'newest', limit = 10 }: { order?: 'newest' | 'oldest'; limit?: number } = {},
): Promise<Whole> {
  const whole: Whole = { nodes: new Map(), replies: [], bodies: [] };

  async function read(query: string): Promise<Thread> {
    const { status, text, json } = await wall.get(`/api/v1/posts/${id}/thread?limit=${limit}&order=${order}${query}`);
    assert.equal(status, 200, text);
    whole.bodies.push(text);
    const { replies } = json as Thread;
    assert.ok(replies.length <= limit && count(replies) <= 50);
    return json;
  }

  async function take({ more, ...node }: ThreadNode): Promise<string> {
    assert.ok(!whole.nodes.has(node.id), `${node.id} is in two responses`);
    const known = { ...node, replies: [...node.replies] };
    whole.nodes.set(node.id, known);
    for (const reply of node.replies) await take(reply);
    let left = more?.count ?? 0;
    for (let branch = more?.cursor ?? null; branch !== null;) {
      const { replies, next, total, ancestors } = await read(`&branch=${branch}`);
      assert.deepEqual([ancestors, total], [[], node.replies.length + more!.count]);
      for (const reply of replies) {
        known.replies.push(reply);
        await take(reply);
      }
      left -= replies.length;
      branch = next;
    }
    assert.equal(left, 0, `of the branch of ${node.id} something is left`);
    return node.id;
  }

  for (let cursor: string | null = ''; cursor !== null;) {
    const { replies, next } = await read(cursor && `&cursor=${cursor}`);
    for (const reply of replies) whole.replies.push(await take(reply));
    cursor = next;
  }
  return whole;
}

const count = (nodes: readonly ThreadNode[]): number => nodes.reduce((sum, { replies }) => sum + 1 + count(replies), 0);

/** A wall with one person, without limits of requests. */
export async function wallOf(t: TestContext, engine: Engine): Promise<Wall & { anna: number }> {
  const wall = await openWall(engine, { RATE_LIMITS: 'off' });
  t.after(wall.close);
  return { ...wall, anna: await wall.person('anna_petrova') };
}

export const threadOf = async (wall: Wall, id: number | string, query = '') => {
  const { status, json } = await wall.get(`/api/v1/posts/${id}/thread${query}`);
  assert.equal(status, 200, JSON.stringify(json));
  return json;
};

/** The ids of a tree: `5(6 7(8))`, a gap with a minus, what is left of a branch as `+3`. */
export const shape = (nodes: readonly ThreadNode[]): string =>
  nodes
    .map(({ id, post, replies, more }) => {
      const below = [shape(replies), more && `+${more.count}`].filter(Boolean).join(' ');
      return `${post ? '' : '-'}${id}${below && `(${below})`}`;
    })
    .join(' ');
