import type { ServerResponse } from 'node:http';
import type { Reader } from './broadcast.ts';

/** What a reader has not taken yet may grow to this; then they are let go, and come back for it. */
const waitingBytes = 256 * 1024;

/** One reader's open response. What it is sent before `begin` comes after what `begin` sends. */
export class Stream implements Reader {
  readonly watched: readonly string[];
  readonly viewer: Reader['viewer'];
  #raw: ServerResponse;
  #early: Buffer[] | undefined = [];

  constructor(raw: ServerResponse, watched: readonly string[], viewer: Reader['viewer']) {
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
      // nginx would gather a stream up.
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
