import type { Changes } from '#contract/events.ts';

export interface Heard {
  id: string;
  changes: Changes;
}

export interface EventReader {
  /** Everything that has come so far. */
  heard: Heard[];
  /** Resolves once what has come satisfies the condition. */
  until(holds: (heard: Heard[]) => boolean): Promise<Heard[]>;
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  close(): void;
}

const patienceMs = 10_000;

/** Listens to events over HTTP as a browser does; `hear` is told of each as it comes. */
export async function readEvents(
  url: string,
  headers: Record<string, string> = {},
  hear: (event: Heard) => void = () => {},
): Promise<EventReader> {
  const abort = new AbortController();
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: abort.signal });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  const heard: Heard[] = [];
  const waiting = new Set<() => void>();

  const ended = (async () => {
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const events = (text + chunk).split('\n\n');
      text = events.pop()!;
      for (const event of events) {
        const [, id, data] = /^id: (.*)\ndata: (.*)$/.exec(event) ?? [];
        if (data === undefined) continue;
        heard.push({ id: id!, changes: JSON.parse(data) as Changes });
        hear(heard.at(-1)!);
      }
      for (const look of waiting) look();
    }
  })().catch((error: unknown) => {
    if (!abort.signal.aborted) throw error;
  });

  return {
    heard,
    ended,
    close: () => abort.abort(),
    until: (holds) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`not heard in time; so far: ${JSON.stringify(heard)}`)),
          patienceMs,
        );
        const look = () => {
          if (!holds(heard)) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(heard);
        };
        waiting.add(look);
        look();
      }),
  };
}
