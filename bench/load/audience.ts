import type { Socket } from 'node:net';
import { listen } from './listen.ts';

/** Everybody who listens. */
export class Audience {
  #sockets: Socket[] = [];
  /** The posts of which so many have heard. */
  #heard = new Map<string, number>();
  #waiting: { id: string; done: () => void } | undefined;

  async join(port: number): Promise<void> {
    const socket = await listen(port);
    this.#sockets.push(socket);
    socket.on('data', (chunk) => this.#hear(chunk.toString()));
  }

  /** Resolves when the last of them has heard of the post. */
  hearsOf(id: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { id, done: resolve };
      this.#look();
    });
  }

  leave(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #hear(text: string): void {
    for (const [, id] of text.matchAll(/\{"id":"(\d+)","owner_id"/g))
      this.#heard.set(id!, (this.#heard.get(id!) ?? 0) + 1);
    this.#look();
  }

  #look(): void {
    if (this.#waiting && this.#heard.get(this.#waiting.id) === this.#sockets.length) this.#waiting.done();
  }
}
