import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../demo/random.ts';
import { absent, type Anomaly, anomaliesOf, type History, kinds, type Read } from './history.ts';

const lateMs = 100;
const people = ['anna', 'boris', 'vera', 'gleb', 'dina'];
const processes = 3;
const longestPass = 20;

interface Change {
  at: number;
  value: string;
}

/**
 * A wall that keeps its promises: each write happens at one moment between its request and its response, and a process shows the
 * writes through others up to `lateMs` later.
 */
class HonestWall {
  readonly history: History = { writes: [], reads: [], counts: [], stored: [] };
  readonly random: Random;
  #changes = new Map<string, Change[]>();
  #now = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    const likers = people.map((person) => ({ person, register: `like ${person}`, values: ['liked', absent] }));
    const authors = people.map((person) => ({
      person,
      register: `post ${person}`,
      values: ['v1', 'v2', absent, 'v2'],
    }));
    const next = new Map<string, number>();
    for (let step = 0; step < 300; step += 1) {
      const { person, register, values } = this.random.pick([...likers, ...authors]);
      if (this.random.chance(0.3)) {
        const count = next.get(register) ?? 0;
        next.set(register, count + 1);
        this.#write(person, register, values[count % values.length]!);
      } else this.#read(this.random.pick(people), register);
    }
    this.#now += 2 * lateMs;
    for (const register of this.#changes.keys()) this.#readAs({ session: 'audit' }, register, Infinity);
    this.history.stored = [...this.#changes.keys()].filter((register) => register.startsWith('post'));
  }

  #write(person: string, register: string, value: string): void {
    const from = this.#pass();
    const at = this.#pass();
    const to = this.#pass();
    const changes = this.#changes.get(register) ?? [];
    this.#changes.set(register, [...changes, { at, value }]);
    this.history.writes.push({ person, register, value, from, to });
    this.history.reads.push({ session: 'events', register, value, from: at, to: at + 1, isEvent: true });
  }

  #read(person: string, register: string): void {
    // The process shows an earlier state, but at least the last write of the same person.
    const behind = this.random.below(lateMs - longestPass);
    const own = this.history.writes.findLast((write) => write.person === person);
    const process = this.random.below(processes);
    const asOf = Math.max(this.#now - behind, own?.to ?? 0, this.#shownBy[process]!);
    this.#shownBy[process] = asOf;
    this.#readAs({ person, session: `${person} at ${process}` }, register, asOf);
  }

  #shownBy: number[] = [0, 0, 0];

  #readAs(reader: Pick<Read, 'person' | 'session'>, register: string, asOf: number): void {
    const from = this.#pass();
    const valueOf = (one: string): string => this.#changes.get(one)?.findLast(({ at }) => at <= asOf)?.value ?? absent;
    const likes = people.map((person) => `like ${person}`);
    const to = this.#pass();
    this.history.reads.push({ ...reader, register, value: valueOf(register), from, to });
    const count = likes.filter((like) => valueOf(like) === 'liked').length;
    this.history.counts.push({ ...reader, registers: likes, value: 'liked', count, from, to });
  }

  #pass(): number {
    this.#now += 1 + this.random.below(longestPass);
    return this.#now;
  }
}

const seeds = Array.from({ length: 200 }, (_, seed) => seed);

test('a wall that keeps its promises has no anomalies', () => {
  for (const seed of seeds) assert.deepEqual(anomaliesOf(new HonestWall(seed).history, lateMs), [], `seed ${seed}`);
});

/** A post of anna is written, edited and deleted at these times. */
function planted(history: History): (value: string, from: number, session?: string) => void {
  const written = { person: 'anna', register: 'planted' };
  history.writes.push({ ...written, value: 'v1', from: 0, to: 10 }, { ...written, value: 'v2', from: 200, to: 210 });
  history.writes.push({ ...written, value: absent, from: 500, to: 510 });
  return (value, from, session = 'boris') =>
    void history.reads.push({ person: 'boris', session, register: 'planted', value, from, to: from + 1 });
}

/** Each adds one fault of its kind to a history without any. */
const faults: Record<Anomaly['kind'], (history: History) => void> = {
  lost: (history) => planted(history)(absent, 10 + lateMs),
  revived: (history) => planted(history)('v2', 510 + lateMs),
  backwards(history) {
    const read = planted(history);
    read('v2', 210);
    read('v1', 211, 'boris elsewhere');
    read('v1', 212);
  },
  unwritten(history) {
    planted(history);
    history.reads.push({ session: 'events', register: 'planted', value: 'v2', from: 100, to: 101, isEvent: true });
  },
  doubled: ({ stored }) => void stored.push(stored[0]!),
  miscounted: ({ counts }) => void (counts.at(-1)!.count = people.length + 1),
};

for (const kind of kinds) {
  test(`finds what is ${kind}`, () => {
    for (const seed of seeds) {
      const { history } = new HonestWall(seed);
      faults[kind](history);
      assert.deepEqual(
        anomaliesOf(history, lateMs).map((found) => found.kind),
        [kind],
        `seed ${seed}`,
      );
    }
  });
}

test('a like is absent only while its post may be deleted', () => {
  const written = (person: string, register: string, value: string, from: number) => {
    return { person, register, value, from, to: from + 10 };
  };
  const likeAt = (from: number) => {
    const read = { person: 'boris', session: 'boris', register: 'like', post: 'post', value: absent };
    const history = {
      writes: [
        written('anna', 'post', 'v1', 0),
        written('boris', 'like', 'liked', 20),
        written('anna', 'post', absent, 300),
        written('anna', 'post', 'v1', 400),
      ],
      reads: [{ ...read, from, to: from + 1 }],
      counts: [],
      stored: [],
    };
    return anomaliesOf(history, lateMs).map(({ kind }) => kind);
  };
  assert.deepEqual([150, 305, 350, 409 + lateMs, 410 + lateMs].map(likeAt), [['lost'], [], [], [], ['lost']]);
});
