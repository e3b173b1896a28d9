import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// The server's clock is wrong by as many seconds as a file says. Whoever writes the file waits for the answer beside it.
const file = process.env['WRONG_CLOCK']!;
const lookEveryMs = 20;
const rightNow = Date.now;
let wrongBySeconds = 0;
Date.now = () => rightNow() + wrongBySeconds * 1_000;

function look(): void {
  if (!existsSync(file)) return;
  const told = Number(readFileSync(file, 'utf8'));
  if (told === wrongBySeconds) return;
  wrongBySeconds = told;
  writeFileSync(`${file}.${process.pid}`, String(told));
}

if (isMainThread) setInterval(look, lookEveryMs).unref();
