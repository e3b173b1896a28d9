/** The feed, or the discussion of a root post. */
export type ReadingList = 'feed' | `thread:${string}`;

/** The pause between two writes while the person reads. */
const betweenWritesMs = 10_000;
/** Leaving the page writes without a pause, but no more often than this within a minute. */
const mostWrites = 6;
const withinMs = 60_000;

type Send = (list: ReadingList, postId: string) => Promise<unknown>;

/** Sends the furthest post read in each list, and the same one only once. */
export function createReadingReport(send: Send) {
  /** The positions that have not been sent to the server yet. */
  const wanted = new Map<ReadingList, string>();
  let writes: number[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function pauseNow(isLeaving: boolean): number {
    const last = isLeaving ? -Infinity : (writes.at(-1) ?? -Infinity) + betweenWritesMs;
    const most = (writes.at(-mostWrites) ?? -Infinity) + withinMs;
    return Math.max(last, most) - performance.now();
  }

  function schedule(): void {
    clearTimeout(timer);
    if (wanted.size > 0) timer = setTimeout(writeNext, Math.max(0, pauseNow(false)));
  }

  function writeNext(): void {
    const [next] = wanted;
    if (next) void write(...next);
    schedule();
  }

  async function write(list: ReadingList, postId: string): Promise<void> {
    wanted.delete(list);
    writes = [...writes, performance.now()].slice(-mostWrites);
    try {
      await send(list, postId);
    } catch {
      // The position is sent again with the next one, or when the page is left.
      if (!wanted.has(list)) wanted.set(list, postId);
    }
  }

  return {
    want(list: ReadingList, postId: string): void {
      wanted.set(list, postId);
      schedule();
    },

    /** The server knows this position, from another tab or device. */
    known(list: ReadingList, postId: string): void {
      const mine = wanted.get(list);
      if (mine !== undefined && Number(mine) <= Number(postId)) wanted.delete(list);
      if (wanted.size === 0) clearTimeout(timer);
    },

    /** Called when the page is hidden or left. */
    leave(): void {
      for (const [list, postId] of wanted) if (pauseNow(true) <= 0) void write(list, postId);
    },

    /** Called when another person reads. */
    forget(): void {
      wanted.clear();
      clearTimeout(timer);
    },
  };
}
