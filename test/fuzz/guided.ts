import { Session } from 'node:inspector/promises';
import { Random } from '../../demo/random.ts';
import { Coverage } from './coverage.ts';
import { mutated } from './mutate.ts';

/** What is fuzzed: a text goes in, and an error that leaves is a fault. */
export interface Subject {
  /** Inputs to begin with. */
  seeds: readonly string[];
  /** Pieces that mean something to the code. */
  words: readonly string[];
  /** Throws when a rule is broken. */
  run(input: string): unknown;
}

export interface Fuzzed {
  runs: number;
  /** Inputs that reached code which no earlier one had reached. */
  kept: number;
  /** Functions and branches reached. */
  reached: number;
  faults: string[];
}

/** Coverage is read once for this many inputs: reading it takes as long as some hundred short runs. */
const batch = 512;
const faultsAtMost = 20;
/** Processor time of one input. Each is short: more means work that grows faster than the input. */
const slowMs = 1_000;
const longest = 4_000;

/** Changes inputs at random until the time is up, and goes on from those that reach new code. */
export async function fuzzGuided({ seeds, words, run }: Subject, seed: number, milliseconds: number): Promise<Fuzzed> {
  const random = new Random(seed);
  using session = openSession();
  const coverage = await Coverage.start(session);
  const found: Fuzzed = { runs: 0, kept: 0, reached: 0, faults: [] };

  async function tried(input: string): Promise<void> {
    const before = process.cpuUsage();
    try {
      found.runs += 1;
      await run(input);
    } catch (error) {
      found.faults.push(`${JSON.stringify(input)}: ${(error as Error).stack}`);
    }
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1_000 > slowMs)
      found.faults.push(`slow, ${(user + system) / 1_000} ms: ${JSON.stringify(input)}`);
  }

  /** Keeps those that reach new code. A batch that does is halved until they are found. */
  async function explore(inputs: readonly string[]): Promise<void> {
    const known = coverage.reached;
    for (const input of inputs) await tried(input);
    if ((await coverage.added()) === 0) return;
    if (inputs.length === 1) return void pool.push(inputs[0]!);
    coverage.reached = known;
    const half = Math.ceil(inputs.length / 2);
    await explore(inputs.slice(0, half));
    await explore(inputs.slice(half));
  }

  const pool = [...seeds];
  for (const input of seeds) await tried(input);
  await coverage.added();
  for (const end = performance.now() + milliseconds; performance.now() < end && found.faults.length < faultsAtMost;)
    await explore(Array.from({ length: batch }, () => mutated(pool, words, random).slice(0, longest)));
  return { ...found, kept: pool.length - seeds.length, reached: coverage.reached.size };
}

function openSession(): Session & Disposable {
  const session = new Session();
  session.connect();
  return Object.assign(session, { [Symbol.dispose]: () => session.disconnect() });
}
