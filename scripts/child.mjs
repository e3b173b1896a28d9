import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './project.mjs';

const parentCheckMs = 200;
const graceMs = 15_000;

const children = new Map();
let ending = false;

/**
 * Starts a child process. When this process is terminated, it terminates the child and exits. `ended` resolves to the exit
 * status of the child, but stays pending after a termination, so that no further step begins.
 */
export function start(file, args, { endBy = 'SIGTERM', ...options } = {}) {
  const child = spawn(file, args, { cwd: root, stdio: 'inherit', ...options });
  children.set(child, endBy);
  const ended = new Promise((resolve, reject) => {
    child.on('error', (error) => {
      children.delete(child);
      reject(error);
    });
    child.on('exit', (code, signal) => {
      children.delete(child);
      const status = code ?? statusOf(signal);
      if (!ending) resolve(status);
      else if (children.size === 0) process.exit(status);
    });
  });
  return { child, ended };
}

export function run(file, args, options) {
  return start(file, args, options).ended;
}

function end(signal) {
  if (ending) return;
  ending = true;
  if (children.size === 0) process.exit(statusOf(signal));
  // The terminal sends Ctrl+C to every process. SIGTERM instead of SIGINT: a second SIGINT may force an immediate exit.
  for (const [child, endBy] of children) child.kill(endBy);
  setTimeout(() => {
    for (const child of children.keys()) child.kill('SIGKILL');
  }, graceMs).unref();
}

function statusOf(signal) {
  return 128 + constants.signals[signal];
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);

// A killed npm forwards no signal. Its end shows as a new parent process.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end('SIGTERM');
  }, parentCheckMs).unref();
}
