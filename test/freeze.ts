import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Stops a process in the middle of what it does; resolves when none of its threads moves any more. */
export async function freeze(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP');
  while (!isFrozen(child)) await sleep(1);
}

export function resume(child: ChildProcess): void {
  child.kill('SIGCONT');
}

/** A thread that waits for the disk stops only when it has been served. */
function isFrozen({ pid }: ChildProcess): boolean {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).every((task) => /\) T /.test(readFileSync(`${tasks}/${task}/stat`, 'utf8')));
}
