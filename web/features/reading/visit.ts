import { readStored, writeStored } from '../../lib/storage.ts';
import { serverNow } from '../../lib/server-clock.ts';

/** A visit of the feed in this browser. The line of the visit stays at its post through reloads and other pages. */
interface Visit {
  /** The id of the person, empty for visitors. */
  reader: string;
  /** The furthest post read when the visit began, null if there was none. */
  line: string | null;
  /** When the reader was last active, unix seconds on the server's clock. */
  at: number;
}

const visitKey = 'reading-visit';
/** A visit ends when the reader was not active in the feed for so many seconds. */
const breakSeconds = 30 * 60;

const stored = (): Visit | null => JSON.parse(readStored('localStorage', visitKey) ?? 'null');

const store = (visit: Visit): void => writeStored('localStorage', visitKey, JSON.stringify(visit));

/** Whether the visit goes on for this reader. A time ahead of the clock does not make the visit last. */
export function isRunning(visit: Visit | null, reader: string, now: number): visit is Visit {
  return visit?.reader === reader && Math.abs(now - visit.at) < breakSeconds;
}

/** The line of the running visit or of one that begins now. */
export function visitLine(reader: string, furthest: string | null): string | null {
  const visit = stored();
  if (isRunning(visit, reader, serverNow())) return visit.line;
  store({ reader, line: furthest, at: serverNow() });
  return furthest;
}

/** Called while the reader reads. */
export function continueVisit(reader: string): void {
  const visit = stored();
  const now = serverNow();
  // A write about once a minute is enough.
  if (isRunning(visit, reader, now) && Math.abs(now - visit.at) > 60) store({ ...visit, at: now });
}
