import type { ReadingPosition } from '#contract/account.ts';
import { call } from '../../lib/api.ts';
import { networkOrPause } from '../../lib/waits.ts';
import { createObservable } from '../../lib/observable.ts';
import { onStoredElsewhere, readStored, writeStored } from '../../lib/storage.ts';
import type { SessionState } from '../session/session.ts';
import { createReadingReport, type ReadingList } from './report-reading.ts';

/** The browser stores a visitor's positions: that of the feed, and those of the discussions read last. */
const storedReadingKey = 'reading';
const mostThreads = 200;

type Stored = Array<[list: ReadingList, postId: string]>;

const all = (): Stored => JSON.parse(readStored('localStorage', storedReadingKey) ?? '[]');

const storedReading = (list: ReadingList): string | null => new Map(all()).get(list) ?? null;

function storeReading(list: ReadingList, postId: string): void {
  writeStored('localStorage', storedReadingKey, JSON.stringify(withReading(all(), list, postId)));
}

/** Positions never go back, also when several tabs write. The list read last stands first. */
export function withReading(stored: Stored, list: ReadingList, postId: string): Stored {
  const known = new Map(stored).get(list);
  const furthest = known !== undefined && Number(known) > Number(postId) ? known : postId;
  const others = stored.filter(([other]) => other !== list);
  const feed = others.filter(([other]) => other === 'feed');
  const threads = others.filter(([other]) => other !== 'feed');
  const room = mostThreads - (list === 'feed' ? 0 : 1);
  return [[list, furthest], ...feed, ...threads.slice(0, room)];
}

export type ReadingPositions = ReturnType<typeof createReadingPositions>;

/**
 * How far the reader has read each list: on the server for signed-in people, in local storage for visitors. Positions
 * never go back.
 */
export function createReadingPositions() {
  /** The id of the person, empty for visitors, null while it is unknown. */
  const reader = createObservable<string | null>(null);
  let furthest = new Map<ReadingList, string | null>();
  let loading = new Map<ReadingList, Promise<string | null>>();
  const report = createReadingReport((list, post_id) =>
    call('PUT /users/current/reading', { body: { list, post_id }, keepalive: true }),
  );

  /** Returns whether the position is further than the known one. */
  function advance(list: ReadingList, postId: string): boolean {
    const known = furthest.get(list);
    if (known && Number(known) >= Number(postId)) return false;
    furthest.set(list, postId);
    return true;
  }

  async function fetchPosition(list: ReadingList): Promise<string | null> {
    const of = reader.get();
    while (of === reader.get()) {
      try {
        const query = list === 'feed' ? {} : { thread: list.slice('thread:'.length) };
        const found = await call('GET /users/current/reading', { query });
        if (of !== reader.get()) break;
        const postId = list === 'feed' ? found.feed : found.thread;
        if (postId !== null) advance(list, postId);
        else if (!furthest.has(list)) furthest.set(list, null);
        return furthest.get(list)!;
      } catch {
        await networkOrPause();
      }
    }
    return null;
  }

  addEventListener('pagehide', report.leave);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) report.leave();
  });
  onStoredElsewhere(storedReadingKey, () => {
    if (reader.get() !== '') return;
    for (const list of furthest.keys()) {
      const postId = storedReading(list);
      if (postId !== null) advance(list, postId);
    }
  });

  return {
    reader,

    /** Called when the session is known and when it changes. */
    sessionChanged(session: SessionState): void {
      const isUnknown = session.is === 'authorizing' || (session.is === 'signed-out' && session.failure !== undefined);
      const next = session.is === 'authorized' ? session.user.id : isUnknown ? null : '';
      if (next === reader.get()) return;
      report.forget();
      furthest = new Map();
      loading = new Map();
      reader.set(next);
    },

    /** Id of the newest post that has been read in a list. Null: nothing has been read. Undefined: `load` has not finished. */
    furthest: (list: ReadingList): string | null | undefined => furthest.get(list),

    /** Resolves to the furthest post read. Positions of the list are recorded only after that. */
    load(list: ReadingList): Promise<string | null> {
      const known = furthest.get(list);
      if (known !== undefined) return Promise.resolve(known);
      if (reader.get() === '') {
        furthest.set(list, storedReading(list));
        return Promise.resolve(furthest.get(list)!);
      }
      const found = loading.get(list) ?? fetchPosition(list);
      loading.set(list, found);
      return found;
    },

    /** Records that these posts were read. */
    read(list: ReadingList, ids: readonly string[]): void {
      if (!furthest.has(list)) return;
      const newest = ids.reduce((a, b) => (Number(a) > Number(b) ? a : b));
      if (!advance(list, newest)) return;
      if (reader.get() === '') storeReading(list, newest);
      else report.want(list, newest);
    },

    /** The server reports positions of any of the person's devices, this one included. */
    receive(positions: readonly ReadingPosition[]): void {
      for (const { list, post_id } of positions) {
        const read = list as ReadingList;
        if (furthest.has(read)) advance(read, post_id);
        report.known(read, post_id);
      }
    },
  };
}
