import { once } from 'node:events';
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

export interface Readers {
  port: number;
  /** Each reader opens one of these paths. */
  paths: readonly string[];
  /** The number of events that each reader has received. */
  events: Uint32Array<SharedArrayBuffer>;
}

/**
 * All readers read at the same time, 50 times a second, instead of waiting for data. The system wakes a process that waits during
 * the write to its socket, so the wake-up would count as work of the server. Real readers are on other machines.
 */
const readEveryMs = 20;
const connectAtOnce = 100;
const data = '\ndata: {';
/** For all connections, which read one at a time. */
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

const { port, paths, events } = workerData as Readers;
for (let i = 0; i < paths.length; i += connectAtOnce) {
  await Promise.all(paths.slice(i, i + connectAtOnce).map((path, j) => open(path, i + j)));
}
parentPort!.postMessage('open');
readTogether();

async function open(path: string, reader: number): Promise<void> {
  const received = (bytes: number): boolean => {
    const text = buffer.toString('latin1', 0, bytes);
    for (let at = text.indexOf(data); at >= 0; at = text.indexOf(data, at + 1)) events[reader]! += 1;
    if (events[reader] === 1) socket.emit('event');
    return true;
  };
  const socket = connect({ host: '127.0.0.1', port, onread: { buffer, callback: received } });
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n`);
  await once(socket, 'event');
}

function readTogether(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, readEveryMs);
  setImmediate(readTogether);
}
