interface LatestWinsOptions<Want, State> {
  /** Whether the state on the server is the wanted one. */
  isDone(want: Want, state: State): boolean;
  /** Resolves to the state on the server. */
  send(want: Want, key: string): Promise<State>;
  /** Called when the server has the last wanted state. `before` is its state before the first of the requests. */
  onDone(state: State, change: { key: string; before: State }): void;
  /** Called after a failure with the last known state of the server. Nothing more is sent. */
  onFailed(state: State, failure: { key: string; want: Want; error: unknown }): void;
}

/** Sends changes that are shown at once: one request at a time for each key; after quick changes the last one counts. */
export function createLatestWins<Want, State>({ isDone, send, onDone, onFailed }: LatestWinsOptions<Want, State>) {
  /** The wanted state of each key whose request is running. */
  const wanted = new Map<string, Want>();
  let running: Promise<unknown> = Promise.resolve();

  async function sendUntilDone(key: string, before: State): Promise<void> {
    let state = before;
    let want = wanted.get(key)!;
    try {
      for (let sent: Want | null = null; want !== sent && !isDone(want, state); want = wanted.get(key)!) {
        sent = want;
        state = await send(want, key);
      }
    } catch (error) {
      wanted.delete(key);
      onFailed(state, { key, want, error });
      return;
    }
    wanted.delete(key);
    onDone(state, { key, before });
  }

  return {
    /** Sends a change. `before` is the state on the server, ignored while a request is running. */
    change(key: string, want: Want, before: State): void {
      const isRunning = wanted.has(key);
      wanted.set(key, want);
      if (!isRunning) running = Promise.all([running, sendUntilDone(key, before)]);
    },

    /** The wanted state, undefined unless a request is running. */
    wanted: (key: string): Want | undefined => wanted.get(key),

    /** Whether a request is running, for this key or for any. */
    isBusy: (key?: string): boolean => (key === undefined ? wanted.size > 0 : wanted.has(key)),

    /** Resolves when the requests that are running now have ended. By then others may have begun. */
    ended: (): Promise<unknown> => running,
  };
}
