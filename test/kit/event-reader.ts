import type { Changes } from '#contract/live.ts';

export interface ReceivedEvent {
  id: string;
  changes: Changes;
}

export interface EventReader {
  /** The events received so far. */
  received: ReceivedEvent[];
  /** Resolves once the received events satisfy the condition. */
  until(holds: (received: ReceivedEvent[]) => boolean): Promise<ReceivedEvent[]>;
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  close(): void;
}

const timeoutMs = 60_000;

/** Reads an event stream over HTTP as a browser does; calls `onEvent` with each event. */
export async function readEvents(
  url: string,
  headers: Record<string, string> = {},
  onEvent: (event: ReceivedEvent) => void = () => {},
): Promise<EventReader> {
  const abort = new AbortController();
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: abort.signal });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  const received: ReceivedEvent[] = [];
  const waiting = new Set<() => void>();

  const ended = (async () => {
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const events = (text + chunk).split('\n\n');
      text = events.pop()!;
      for (const event of events) {
        const [, id, data] = /^id: (.*)\ndata: (.*)$/.exec(event) ?? [];
        if (data === undefined) continue;
        received.push({ id: id!, changes: JSON.parse(data) as Changes });
        onEvent(received.at(-1)!);
      }
      for (const look of waiting) look();
    }
  })().catch((error: unknown) => {
    if (!abort.signal.aborted) throw error;
  });

  return {
    received,
    ended,
    close: () => abort.abort(),
    until: (holds) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`timed out waiting for events; received so far: ${JSON.stringify(received)}`)),
          timeoutMs,
        );
        const look = () => {
          if (!holds(received)) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(received);
        };
        waiting.add(look);
        look();
      }),
  };
}
