import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Browsers and proxies send no request before they have the answer to the last; whoever does may go this far ahead. */
const aheadAtMost = 32;

/**
 * Answers the requests of a connection one after another. Node begins them all at once and keeps what is ready: some
 * kilobytes of requests for a large file, from somebody who takes none of it, would hold gigabytes.
 */
export function takeTurns(app: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>();

  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    // A response has its connection once the one before has left.
    if (reply.raw.socket !== null) {
      done();
      return;
    }
    const ahead = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, ahead);
    if (ahead > aheadAtMost) {
      reply.hijack();
      socket.destroy();
      return;
    }
    reply.raw.once('socket', () => {
      waiting.set(socket, waiting.get(socket)! - 1);
      done();
    });
  });
}
