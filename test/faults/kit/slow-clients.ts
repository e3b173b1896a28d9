import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, none } from '../../measurements/report.ts';

const noticeMs = 2_000;

/** The first bytes of a slow client, and its repeated action. */
export interface Slowness {
  first: string;
  next(socket: Socket): void;
  /** It reads nothing except in `next`. */
  isPaused?: true;
}

/** slowhttptest -H: headers that never end. */
export const slowHeaders: Slowness = {
  first: 'GET / HTTP/1.1\r\nHost: x\r\n',
  next: (socket) => socket.write('x-a: b\r\n'),
};

/** slowhttptest -B: a body that comes a byte at a time. */
export const slowBody: Slowness = {
  first: 'POST /api/v1/logins HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n',
  next: (socket) => socket.write(' '),
};

/** slowhttptest -X: responses larger than the system's buffers, read a byte at a time. */
export const slowReading = (path: string): Slowness => ({
  first: `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(30),
  next: (socket) => socket.read(1),
  isPaused: true,
});

/** The server has disconnected all of these clients in time. */
export const gone = (what: string, open: number, tookMs: number, withinMs: number, detail: string): Figure =>
  none(what, open, `open after ${Math.round(tookMs / 1_000)} s`, detail, { target: `0 after ${withinMs / 1_000} s` });

/** Slow clients of one kind. */
export class SlowClients {
  #slowness: Slowness;
  #sockets: Socket[];

  private constructor(slowness: Slowness, sockets: Socket[]) {
    this.#slowness = slowness;
    this.#sockets = sockets;
  }

  static async connect(port: number, slowness: Slowness, many: number): Promise<SlowClients> {
    const sockets = Array.from({ length: many }, () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      if (slowness.isPaused) socket.pause();
      else socket.resume();
      socket.write(slowness.first);
      return socket;
    });
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    return new SlowClients(slowness, sockets);
  }

  next(): void {
    for (const socket of this.#sockets) if (socket.writable) this.#slowness.next(socket);
  }

  /** Number of open connections. A client that reads nothing does not notice that it was disconnected, so it resumes first. */
  async open(): Promise<number> {
    if (this.#slowness.isPaused) {
      for (const socket of this.#sockets) socket.resume();
      await sleep(noticeMs);
    }
    return this.#sockets.filter((socket) => !socket.destroyed).length;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
