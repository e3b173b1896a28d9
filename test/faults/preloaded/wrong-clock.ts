import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Preloaded into a server: its clock is wrong by the seconds in a file. A second file confirms each change.
const file = process.env['WRONG_CLOCK']!;
const checkEveryMs = 20;
const rightNow = Date.now;
let wrongBySeconds = 0;
Date.now = () => rightNow() + wrongBySeconds * 1_000;

function check(): void {
  if (!existsSync(file)) return;
  const seconds = Number(readFileSync(file, 'utf8'));
  if (seconds === wrongBySeconds) return;
  wrongBySeconds = seconds;
  writeFileSync(`${file}.${process.pid}`, String(seconds));
}

if (isMainThread) setInterval(check, checkEveryMs).unref();
