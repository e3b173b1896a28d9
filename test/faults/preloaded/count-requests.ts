import { Server } from 'node:http';
import { isMainThread } from 'node:worker_threads';

// Preloaded into a server: counts the requests that reach it and prints their number at its end.
let requests = 0;
const { emit } = Server.prototype;
Server.prototype.emit = function count(this: Server, event: string, ...rest: unknown[]) {
  if (event === 'request') requests += 1;
  return emit.call(this, event, ...rest);
};
if (isMainThread) process.on('exit', () => process.stderr.write(`requests: ${requests}\n`));
