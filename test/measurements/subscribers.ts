import { connect, type Socket } from 'node:net';

/** Opens an event stream as a page does; resolves when its first event has arrived. */
function openStream(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.write('GET /api/v1/events HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n');
    socket.once('data', () => resolve(socket)).once('error', reject);
  });
}

/** Readers with an open event stream each. */
export class Subscribers {
  #sockets: Socket[] = [];
  /** Number of subscribers that have received a post, by its id. */
  #received = new Map<string, number>();
  #waiting: { id: string; done: () => void } | undefined;

  async add(port: number): Promise<void> {
    const socket = await openStream(port);
    this.#sockets.push(socket);
    socket.on('data', (chunk) => this.#read(chunk.toString()));
  }

  /** Resolves when the last subscriber has received the post. */
  received(id: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { id, done: resolve };
      this.#check();
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #read(text: string): void {
    for (const [, id] of text.matchAll(/\{"id":"(\d+)","owner_id"/g))
      this.#received.set(id!, (this.#received.get(id!) ?? 0) + 1);
    this.#check();
  }

  #check(): void {
    if (this.#waiting && this.#received.get(this.#waiting.id) === this.#sockets.length) this.#waiting.done();
  }
}
