import { Server } from 'node:http';
import { isMainThread } from 'node:worker_threads';

// Loaded into a server before all else: it counts the requests that reach it, and says at its end how many there were.
let requests = 0;
const { emit } = Server.prototype;
Server.prototype.emit = function count(this: Server, event: string, ...rest: unknown[]) {
  if (event === 'request') requests += 1;
  return emit.call(this, event, ...rest);
};
if (isMainThread) process.on('exit', () => process.stderr.write(`requests: ${requests}\n`));
