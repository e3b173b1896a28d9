import type { ServerResponse } from 'node:http';
import type { Subscriber } from './broadcast.ts';

/** Maximum of unsent bytes. A slower subscriber is disconnected and resumes when it reconnects. */
const waitingBytes = 256 * 1024;

/** An open response. Events sent before `begin` are buffered and follow its first event. */
export class EventStream implements Subscriber {
  readonly watched: readonly string[];
  readonly viewer: Subscriber['viewer'];
  #raw: ServerResponse;
  #early: Buffer[] | undefined = [];

  constructor(raw: ServerResponse, watched: readonly string[], viewer: Subscriber['viewer']) {
    this.#raw = raw;
    this.watched = watched;
    this.viewer = viewer;
  }

  begin(headers: readonly string[], first: Buffer): void {
    this.#raw.writeHead(200, [
      ...headers,
      'content-type',
      'text/event-stream; charset=utf-8',
      'cache-control',
      'no-store',
      // Otherwise nginx buffers the stream.
      'x-accel-buffering',
      'no',
    ]);
    const early = this.#early!;
    this.#early = undefined;
    for (const event of [first, ...early]) this.send(event);
  }

  send(event: Buffer): void {
    if (this.#early) this.#early.push(event);
    else if (this.#raw.writableLength > waitingBytes) this.#raw.destroy();
    else this.#raw.write(event);
  }

  end(): void {
    if (this.#early) this.#raw.destroy();
    else this.#raw.end();
  }
}
