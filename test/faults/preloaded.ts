import fs from 'node:fs';
import { Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// Preloaded into a server. Its environment says which fault it has.
const { FORGET_SYNCS, COUNT_REQUESTS, WRONG_CLOCK } = process.env;

// Its syncs succeed at once and write nothing to the disk.
if (FORGET_SYNCS) {
  Object.assign(fs, { fdatasync: (_: number, done: (error: null) => void) => void setImmediate(done, null) });
  syncBuiltinESMExports();
}

// It counts the requests that reach it and prints their number at its end.
if (COUNT_REQUESTS) {
  let requests = 0;
  const { emit } = Server.prototype;
  Server.prototype.emit = function count(this: Server, event: string, ...rest: unknown[]) {
    if (event === 'request') requests += 1;
    return emit.call(this, event, ...rest);
  };
  if (isMainThread) process.on('exit', () => process.stderr.write(`requests: ${requests}\n`));
}

// Its clock is wrong by the seconds that its parent has sent last.
if (WRONG_CLOCK) {
  const rightNow = Date.now;
  let wrongBySeconds = 0;
  Date.now = () => rightNow() + wrongBySeconds * 1_000;
  process.on('message', (message) => (wrongBySeconds = Number(message)));
}
