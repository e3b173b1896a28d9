import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface Reader {
  /** Bytes, and since when not one more. */
  taken: number;
  since: number;
}

/** As long as nginx waits by default. A telephone in a tunnel has lost its page by then too. */
const patienceMs = 60_000;
const looks = 12;

/**
 * Lets go of connections for which something waits of which they take nothing. Node limits how slowly a request may
 * come, not how slowly its answer is taken.
 */
export function letSlowReadersGo(server: Server, patience = patienceMs): void {
  const readers = new Map<Socket, Reader>();
  server.on('connection', (socket: Socket) => {
    readers.set(socket, { taken: 0, since: performance.now() });
    socket.once('close', () => readers.delete(socket));
  });

  const looking = setInterval(() => {
    const now = performance.now();
    for (const [socket, reader] of readers) {
      const taken = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || taken !== reader.taken) Object.assign(reader, { taken, since: now });
      else if (now - reader.since >= patience) socket.destroy();
    }
  }, patience / looks);
  looking.unref();
  server.once('close', () => clearInterval(looking));
}
