/**
 * What clients sent and received, and whether one order of the writes explains it. A register is the text of a post, a like or a
 * follow. One person writes it, one write after another, so that the order of its values is known.
 */
export interface History {
  writes: Write[];
  reads: Read[];
  counts: Count[];
  /** The texts that are stored in the end, in any order. */
  stored: string[];
}

interface Timed {
  /** When the request was sent. */
  from: number;
  /** When its response came. */
  to: number;
}

/** A request that was repeated until a response said that it is done; `to` is Infinity if that never came. */
interface Write extends Timed {
  person: string;
  register: string;
  value: string;
}

export interface Read extends Timed {
  /** Undefined for the reads of an audit, which must show every write. */
  person?: string;
  /** A person at one process. Its reads may not go backwards. */
  session: string;
  register: string;
  value: string;
  /** The register of the liked post: the likes of a post are gone while it is deleted. */
  post?: string;
  /** An event may report a state that has been replaced since. */
  isEvent?: boolean;
}

/** A number of registers with this value, as it was read. */
export interface Count extends Timed {
  person?: string;
  registers: readonly string[];
  value: string;
  count: number;
  isEvent?: boolean;
}

/** The value of every register before its first write, and of a post that is deleted. */
export const absent = 'absent';

export const kinds = ['lost', 'doubled', 'revived', 'backwards', 'unwritten', 'miscounted'] as const;

export interface Anomaly {
  kind: (typeof kinds)[number];
  detail: string;
}

interface State extends Timed {
  person: string;
  value: string;
}

const unwritten: readonly State[] = [{ person: '', value: absent, from: -Infinity, to: -Infinity }];

/** The anomalies of a history in which the writes of others are visible `lateMs` after their response. */
export function anomaliesOf({ writes, reads, counts, stored }: History, lateMs: number): Anomaly[] {
  const registers = new Map<string, readonly State[]>();
  for (const write of writes.toSorted((a, b) => a.from - b.from)) {
    registers.set(write.register, [...(registers.get(write.register) ?? unwritten), write]);
  }
  const statesOf = (register: string): readonly State[] => registers.get(register) ?? unwritten;
  return [
    ...judgeReads(reads, statesOf, lateMs),
    ...judgeCounts(counts, statesOf, lateMs),
    ...[...Map.groupBy(stored, (text) => text)]
      .filter(([, same]) => same.length > 1)
      .map(([text]): Anomaly => ({ kind: 'doubled', detail: text })),
  ];
}

/** The states that a read may show by its times alone: from the last that it must know to the last that had begun. */
function visible(states: readonly State[], read: Read | Count, lateMs: number): { due: number; last: number } {
  const last = states.findLastIndex(({ from }) => from < read.to);
  if (read.isEvent) return { due: 0, last };
  const isDue = ({ person, to }: State): boolean =>
    to < Infinity && (read.person === undefined || to <= read.from - (person === read.person ? 0 : lateMs));
  return { due: Math.max(0, states.findLastIndex(isDue)), last };
}

function mayBeAbsent(states: readonly State[], read: Read, lateMs: number): boolean {
  const { due, last } = visible(states, read, lateMs);
  return states.slice(due, last + 1).some(({ value }) => value === absent);
}

/** Each read takes the earliest state that explains it, which leaves the most to the later reads of its session. */
function judgeReads(
  reads: readonly Read[],
  statesOf: (register: string) => readonly State[],
  lateMs: number,
): Anomaly[] {
  const found: Anomaly[] = [];
  const seen = new Map<string, number>();
  for (const read of reads.toSorted((a, b) => a.from - b.from)) {
    const states = statesOf(read.register);
    const { due, last } = visible(states, read, lateMs);
    if (read.post !== undefined && read.value === absent && mayBeAbsent(statesOf(read.post), read, lateMs)) continue;
    const session = `${read.session} ${read.register}`;
    const before = read.isEvent ? 0 : (seen.get(session) ?? 0);
    const explains = (from: number): number =>
      states.findIndex(({ value }, i) => i >= from && i <= last && value === read.value);
    const state = explains(Math.max(due, before));
    if (state >= 0) {
      if (!read.isEvent) seen.set(session, state);
      continue;
    }
    const kind =
      explains(0) < 0
        ? 'unwritten'
        : explains(due) >= 0
          ? 'backwards'
          : states[due]!.value === absent
            ? 'revived'
            : 'lost';
    found.push({
      kind,
      detail: `${read.session} read ${read.register} as “${read.value}” at ${timesOf(read)}; written: ${statesInWords(states)}`,
    });
  }
  return found;
}

const timesOf = ({ from, to }: Timed): string => `${Math.round(from)}–${Math.round(to)}`;

const statesInWords = (states: readonly State[]): string =>
  states
    .slice(1)
    .map((state) => `“${state.value}” at ${timesOf(state)}`)
    .join(', ');

function judgeCounts(
  counts: readonly Count[],
  statesOf: (register: string) => readonly State[],
  lateMs: number,
): Anomaly[] {
  return counts.flatMap((read): Anomaly[] => {
    let [least, most] = [0, 0];
    for (const register of read.registers) {
      const states = statesOf(register);
      const { due, last } = visible(states, read, lateMs);
      const may = states.slice(due, last + 1).map(({ value }) => value === read.value);
      if (may.every(Boolean)) least += 1;
      if (may.some(Boolean)) most += 1;
    }
    if (read.count >= least && read.count <= most) return [];
    const detail = `${read.registers[0]}: ${read.count}, not ${least} to ${most}, at ${Math.round(read.from)}`;
    return [{ kind: 'miscounted', detail }];
  });
}
