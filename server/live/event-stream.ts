import type { ServerResponse } from 'node:http';
import { StreamEvent } from './stream-event.ts';
import type { Subscriber } from './broadcast.ts';

/** Maximum of unsent bytes. A slower subscriber is disconnected and resumes when it reconnects. */
const waitingBytes = 256 * 1024;

/** An open response. Events sent before `begin` are buffered and follow its first event. */
export class EventStream implements Subscriber {
  readonly watched: readonly string[];
  readonly viewer: Subscriber['viewer'];
  #raw: ServerResponse;
  #early: StreamEvent[] | undefined = [];

  constructor(raw: ServerResponse, watched: readonly string[], viewer: Subscriber['viewer']) {
    this.#raw = raw;
    this.watched = watched;
    this.viewer = viewer;
  }

  begin(headers: readonly string[], first: string): void {
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
    const { socket } = this.#raw;
    const events = [new StreamEvent(first), ...this.#early!];
    this.#early = undefined;
    socket?.cork();
    this.#raw.flushHeaders();
    for (const event of events) this.send(event);
    socket?.uncork();
  }

  /**
   * Writes to the socket. `ServerResponse.write` must never be used here: it would frame the event again for each subscriber, and
   * delay the bytes until the end of the tick.
   */
  send(event: StreamEvent): void {
    if (this.#early) {
      this.#early.push(event);
      return;
    }
    const { socket } = this.#raw;
    // A client that has closed its side gets nothing more. After the end of the stream, the connection may carry another response.
    if (!socket?.writable || this.#raw.writableEnded) return;
    if (socket.writableLength > waitingBytes) this.#raw.destroy();
    else socket.write(this.#raw.chunkedEncoding ? event.chunk : event.bytes);
  }

  end(): void {
    if (this.#early) this.#raw.destroy();
    else this.#raw.end();
  }
}
