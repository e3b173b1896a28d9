import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../../bench/scenario.ts';
import { count } from '../../bench/format.ts';
import type { Answered } from '../../test/ask.ts';
import { Follower } from './follower.ts';
import type { Person } from './people.ts';
import { Writers } from './writers.ts';

const catchUpMs = 10_000;

/** People who write and readers who follow them, as many at each address. */
export class BusyWall {
  readonly writers: readonly Writers[];
  readonly followers: readonly Follower[];

  constructor(addresses: readonly string[], people: readonly Person[]) {
    this.writers = addresses.map(
      (address, i) =>
        new Writers(
          address,
          people.filter((_, j) => j % addresses.length === i),
        ),
    );
    this.followers = addresses.map((address) => new Follower(address));
  }

  /** Resolves when a post has been taken at every address and every stream has begun. */
  async busy(): Promise<void> {
    await this.taken();
    while (this.followers.some(({ position }) => position === undefined)) await sleep(10);
  }

  /** Text by id. */
  get acknowledged(): Map<string, string> {
    return new Map(this.writers.flatMap(({ acknowledged }) => [...acknowledged]));
  }

  /** Resolves to the milliseconds until a post has been taken at every address. */
  async taken(): Promise<number> {
    const from = performance.now();
    await Promise.all(this.writers.map(nextTaken));
    return performance.now() - from;
  }

  get inFlight(): number {
    return this.writers.reduce((sum, { inFlight }) => sum + inFlight, 0);
  }

  /** How often an answer came, none of these. */
  answersBut(...expected: readonly Answered[]): Map<Answered, number> {
    const others = new Map<Answered, number>();
    for (const [answered, times] of this.writers.flatMap(({ answers }) => [...answers])) {
      if (!expected.includes(answered)) others.set(answered, (others.get(answered) ?? 0) + times);
    }
    return others;
  }

  /** Nobody writes any more; resolves when everybody's last text is acknowledged. */
  async rest(): Promise<void> {
    await Promise.all(this.writers.map((writers) => writers.stop()));
  }

  /** Resolves when all is written and the followers have had time to hear of it. */
  async stop(): Promise<void> {
    await this.rest();
    const deadline = performance.now() + catchUpMs;
    while (this.missed() > 0 && performance.now() < deadline) await sleep(50);
    await Promise.all(this.followers.map((follower) => follower.stop()));
  }

  /** Acknowledged posts that a follower has not heard of, over all followers. */
  missed(): number {
    const ids = [...this.acknowledged.keys()];
    return this.followers.reduce((sum, { seen }) => sum + ids.filter((id) => !seen.has(id)).length, 0);
  }

  /** The line of the table that says that followers missed nothing. */
  followed(what: string): Figure {
    const broken = this.followers.reduce((sum, follower) => sum + follower.broken, 0);
    const anew = this.followers.reduce((sum, { readAnew }) => sum + readAnew, 0);
    const told = this.followers.length * this.acknowledged.size;
    return {
      what,
      measured: `${this.missed()} missed`,
      target: '0 missed',
      ok: this.missed() === 0,
      detail: `${this.followers.length} event streams, ${count(told)} posts told; broke ${broken} times, read anew ${anew} times`,
    };
  }
}

function nextTaken(writers: Writers): Promise<void> {
  return new Promise((resolve) => {
    writers.onAnswer = (answered) => {
      if (answered !== 201) return;
      writers.onAnswer = undefined;
      resolve();
    };
  });
}
