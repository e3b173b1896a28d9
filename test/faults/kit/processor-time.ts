import { readdirSync, readFileSync } from 'node:fs';

/** Processor time that a process and its children have used. */
export function secondsOfProcessor(pid: number): number {
  const family = readdirSync('/proc').filter((name) => name === String(pid) || parentOf(name) === pid);
  const nanoseconds = family.map((name) => Number(contentOf(name, 'schedstat')?.split(' ')[0] ?? 0));
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e9;
}

/** The name of a process, in parentheses, may contain spaces. */
const parentOf = (name: string): number => Number(contentOf(name, 'stat')?.split(') ').at(-1)!.split(' ')[1]);

/** Undefined when it is no process or has ended. */
function contentOf(name: string, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${name}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
