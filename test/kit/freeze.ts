import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Stops a process at an arbitrary moment; resolves when all its threads are stopped. */
export async function freeze(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP');
  while (!isFrozen(child)) await sleep(1);
}

export function resume(child: ChildProcess): void {
  child.kill('SIGCONT');
}

/** A thread in an uninterruptible disk wait stops only after it. */
function isFrozen({ pid }: ChildProcess): boolean {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).every((task) => /\) T /.test(readFileSync(`${tasks}/${task}/stat`, 'utf8')));
}
