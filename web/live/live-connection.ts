import type { Changes } from '#contract/events.ts';
import { limits } from '#contract/limits.ts';
import type { EventsQuery, StreamListener } from './event-stream.ts';
import { createPositions } from './positions.ts';

interface LiveConnectionOptions {
  /** Returns how to close it. Null where the browser knows no event streams. */
  openStream: ((query: EventsQuery, listener: StreamListener) => () => void) | null;
  /** The same without a stream: what is new, at once. */
  poll: (query: EventsQuery, signal: AbortSignal) => Promise<Changes>;
  hear: (changes: Changes) => void;
  /** How far what is shown goes. */
  position: string;
}

/** A stream speaks at once. One that does not is held back by something on the way. */
const firstMessageMs = limits.requestTimeoutMs;

/**
 * A connection may die without a word, and heartbeats are comments, which a page does not see: a stream silent for so
 * long is replaced by another. On a wall where something happens that is never.
 */
const silenceMs = 120_000;

const pauseMs = 1_000;
const pauseMaxMs = 30_000;
const failuresBeforePolling = 2;

/** Longer from failure to failure, and different for everybody: readers cut off together do not come back together. */
const pauseAfter = (failures: number): number =>
  Math.min(pauseMaxMs, pauseMs * 2 ** (failures - 1)) * (0.5 + Math.random());

/** Hears of what happens on the wall, by one stream at a time or, while streams fail, by asking. Nothing is missed. */
export function createLiveConnection({ openStream, poll, hear, position }: LiveConnectionOptions) {
  const positions = createPositions(position);
  let awake = false;
  let watched: string | null = null;
  let failures = 0;
  let closeStream = () => {};
  let endPolling: (() => void) | null = null;
  let nextStep: ReturnType<typeof setTimeout> | undefined;

  const query = (): EventsQuery => ({ after: positions.latest(), ...(watched !== null && { posts: watched }) });

  function take(changes: Changes): void {
    positions.note(changes.position, performance.now());
    hear(changes);
  }

  function stop(): void {
    clearTimeout(nextStep);
    closeStream();
  }

  function connect(): void {
    stop();
    if (!openStream) return startPolling();
    nextStep = setTimeout(failed, firstMessageMs);
    closeStream = openStream(query(), { onChanges: takeFromStream, onFailure: failed });
  }

  function takeFromStream(changes: Changes): void {
    failures = 0;
    stopPolling();
    clearTimeout(nextStep);
    nextStep = setTimeout(connect, silenceMs);
    take(changes);
  }

  function failed(): void {
    stop();
    failures += 1;
    nextStep = setTimeout(connect, pauseAfter(failures));
    if (failures >= failuresBeforePolling && endPolling === null) startPolling();
  }

  function startPolling(): void {
    stopPolling();
    const abort = new AbortController();
    const ask = async () => {
      const changes = await poll(query(), abort.signal).catch(() => null);
      if (changes && !abort.signal.aborted) take(changes);
    };
    void ask();
    const timer = setInterval(() => void ask(), limits.pollMs);
    endPolling = () => {
      abort.abort();
      clearInterval(timer);
    };
  }

  function stopPolling(): void {
    endPolling?.();
    endPolling = null;
  }

  return {
    /** Somebody is looking and there is a network. */
    wake(): void {
      if (awake) return;
      awake = true;
      connect();
    },

    /** Speaks from now on for whoever is signed in now: a stream is told of them when it is opened. */
    restart(): void {
      if (!awake) return;
      stopPolling();
      connect();
    },

    sleep(): void {
      awake = false;
      failures = 0;
      stop();
      stopPolling();
    },

    /** From now on something else is shown, the page of this post perhaps, whose replies are to be heard of. */
    watch(postId: string | null): void {
      const isElsewhere = positions.rewind(performance.now());
      if (postId === watched && !isElsewhere) return;
      watched = postId;
      if (awake) connect();
    },
  };
}
