import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Processor time that a process and its children have used, also those that have ended. */
export function secondsOfProcessor(pid: number): number {
  const family = readdirSync('/proc').filter((name) => name === String(pid) || parentOf(name) === pid);
  const nanoseconds = family.map((name) => Number(contentOf(name, 'schedstat')?.split(' ')[0] ?? 0));
  const [user = 0, system = 0] = statOf(String(pid)).slice(13, 15).map(Number);
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e9 + (user + system) / ticksPerSecond;
}

const parentOf = (name: string): number => Number(statOf(name)[1]);

/** The fields after the name of the process, which is in parentheses and may contain spaces. */
const statOf = (name: string): string[] => contentOf(name, 'stat')?.split(') ').at(-1)!.split(' ') ?? [];

/** Undefined when it is no process or has ended. */
function contentOf(name: string, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${name}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
