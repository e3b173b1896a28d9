import { Session } from 'node:inspector/promises';
import { Random } from '../../demo/random.ts';
import { root } from '../kit/node-process.ts';

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

  /** Adds to the pool the inputs that reach new code. They are found by halving the batch. */
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

/** The wall's code, and the library that parses what people write. */
const isFuzzed = (url: string): boolean =>
  url.startsWith(`file://${root}`) && !/\/test\/|\/node_modules\/(?!markdown-it\/)/.test(url);

/** The branches of the wall's code that have run, as V8 counts them. */
class Coverage {
  #session: Session;
  /** Replaced by each addition. */
  reached: ReadonlySet<string> = new Set();

  private constructor(session: Session) {
    this.#session = session;
  }

  static async start(session: Session): Promise<Coverage> {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    return new Coverage(session);
  }

  /** The number of branches that have run since the last call and never before it. */
  async added(): Promise<number> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const ran = result
      .filter(({ url }) => isFuzzed(url))
      .flatMap(({ scriptId, functions }) =>
        functions.flatMap(({ ranges }) =>
          ranges
            .filter(({ count }) => count > 0)
            .map(({ startOffset, endOffset }) => `${scriptId} ${startOffset} ${endOffset}`),
        ),
      );
    const before = this.reached;
    this.reached = before.union(new Set(ran));
    return this.reached.size - before.size;
  }
}

const mostChanges = 6;
const longestRun = 40;

/** Characters that parsers often treat in a special way. */
const odd = [
  ...'\0\t\n\r "\'<>&#@%+-*/\\|=?!.,:;()[]{}^~`_$',
  ...'\u007f\u0085\u00a0\u00ad\u0301\u0483\u200b\u200d\u200e\u202e\u2028\u2066\u2800\u3000\ufe0f\ufeff\uffff',
  ...'0123456789azAZаяАЯёЁßİıſﬁ漢й',
  '\ud800',
  '\udc00',
  '😀',
  '👩‍👩‍👧',
];

/** An input of the pool with a few changes. */
function mutated(pool: readonly string[], words: readonly string[], random: Random): string {
  let text = random.pick(pool);
  for (let left = 1 + random.below(mostChanges); left > 0; left -= 1) text = changed(text, pool, words, random);
  return text;
}

function changed(text: string, pool: readonly string[], words: readonly string[], random: Random): string {
  const at = random.below(text.length + 1);
  const end = Math.min(text.length, at + random.below(longestRun));
  const [before, run, after] = [text.slice(0, at), text.slice(at, end), text.slice(end)];
  const kind = random.below(6);
  if (kind === 0) return before + after;
  if (kind === 1) return before + random.pick(odd) + text.slice(at);
  if (kind === 2) return before + random.pick(odd) + text.slice(at + 1);
  if (kind === 3) return before + run.repeat(1 + random.below(longestRun)) + after;
  if (kind === 4) return before + random.pick(words) + text.slice(random.chance(0.5) ? at : end);
  const other = random.pick(pool);
  return before + other.slice(random.below(other.length + 1));
}
