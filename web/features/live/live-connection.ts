import type { Calls } from '#contract/calls.ts';
import { apiPrefix } from '#contract/endpoint.ts';
import { limits } from '#contract/limits.ts';
import type { Changes } from '#contract/live.ts';
import { setServerTime } from '../../lib/server-clock.ts';
import { noteFailure, noteResponse } from '../../lib/server-silence.ts';

/** The longest time a response may take. So a response that arrives now was requested at most this long ago. */
const responseMs = limits.requestTimeoutMs;

/** The positions in the wall's change log up to which events were received, with the times of receipt. */
export function createPositions(first: string) {
  let received = [{ position: first, at: -Infinity }];

  /** The index of the last position that is older than `responseMs`. Every response that can arrive now was requested after it. */
  const stepBefore = (now: number) =>
    Math.max(
      0,
      received.findLastIndex(({ at }) => at <= now - responseMs),
    );

  return {
    latest: (): string => received.at(-1)!.position,

    note(position: string, now: number): void {
      received = received.slice(stepBefore(now));
      if (position !== received.at(-1)!.position) received.push({ position, at: now });
    },

    /** Goes back to the position at `stepBefore`: a response that arrives now may lack later changes. Returns whether the position changes. */
    rewind(now: number): boolean {
      const before = received.length;
      received = received.slice(0, stepBefore(now) + 1);
      return received.length < before;
    },
  };
}

export type EventsQuery = Calls['GET /events']['query'];

export interface StreamListener {
  onChanges: (changes: Changes) => void;
  onFailure: () => void;
}

/** Returns a function that closes the stream. Call it after a failure too: the browser would reconnect by itself. */
export function openEventStream(query: EventsQuery, { onChanges, onFailure }: StreamListener): () => void {
  const stream = new EventSource(`${apiPrefix}/events?${new URLSearchParams(query)}`);
  stream.addEventListener('time', ({ data }) => setServerTime(Number(data)));
  stream.addEventListener('message', ({ data }) => onChanges(JSON.parse(data)));
  stream.addEventListener('error', onFailure);
  return () => stream.close();
}

interface LiveConnectionOptions {
  /** Returns a function that closes the stream. */
  openStream: (query: EventsQuery, listener: StreamListener) => () => void;
  /** Requests the changes once, without a stream. */
  poll: (query: EventsQuery, signal: AbortSignal) => Promise<Changes>;
  onChanges: (changes: Changes) => void;
  /** The position in the change log up to which the page is current. */
  position: string;
}

/** A stream sends its first message at once. If it does not, a proxy holds it back. */
const firstMessageMs = limits.requestTimeoutMs;

/**
 * A stream without a message for this long is replaced: a connection may break without an error, and heartbeats are
 * comments, which scripts cannot see. On a busy wall this never happens.
 */
const silenceMs = 120_000;

const pauseMs = 1_000;
const pauseMaxMs = 30_000;
const failuresBeforePolling = 2;

/** Grows with each failure and is random, so that readers who lost their streams together do not reconnect together. */
const pauseAfter = (failures: number): number =>
  Math.min(pauseMaxMs, pauseMs * 2 ** (failures - 1)) * (0.5 + Math.random());

/** Receives the wall's changes by one event stream or, while streams fail, by polling. No change is missed. */
export function createLiveConnection({ openStream, poll, onChanges, position }: LiveConnectionOptions) {
  const positions = createPositions(position);
  let awake = false;
  let watched: string | null = null;
  let failures = 0;
  let closeStream = () => {};
  let endPolling: (() => void) | null = null;
  let nextStep: ReturnType<typeof setTimeout> | undefined;

  const query = (): EventsQuery => ({ after: positions.latest(), ...(watched !== null && { posts: watched }) });

  function receive(changes: Changes): void {
    positions.note(changes.position, performance.now());
    onChanges(changes);
  }

  function stop(): void {
    clearTimeout(nextStep);
    closeStream();
  }

  function connect(): void {
    stop();
    nextStep = setTimeout(failed, firstMessageMs);
    closeStream = openStream(query(), { onChanges: receiveFromStream, onFailure: failed });
  }

  function receiveFromStream(changes: Changes): void {
    noteResponse();
    failures = 0;
    stopPolling();
    clearTimeout(nextStep);
    nextStep = setTimeout(connect, silenceMs);
    receive(changes);
  }

  function failed(): void {
    noteFailure('stream');
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
      if (changes && !abort.signal.aborted) receive(changes);
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
    /** Called when the page is visible and the network works. */
    wake(): void {
      if (awake) return;
      awake = true;
      connect();
    },

    /** Called when somebody has signed in or out: the server learns who a stream belongs to when it is opened. */
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

    /** Called when another screen is shown. The stream reports all replies below `postId`, a root post, if any. */
    watch(postId: string | null): void {
      const isElsewhere = positions.rewind(performance.now());
      if (postId === watched && !isElsewhere) return;
      watched = postId;
      if (awake) connect();
    },
  };
}
