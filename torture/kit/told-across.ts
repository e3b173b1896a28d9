import { setTimeout as sleep } from 'node:timers/promises';
import type { BusyWall } from './busy-wall.ts';
import type { Person } from './people.ts';

const patienceMs = 6_000;

/**
 * The milliseconds until the next process shows, and tells its streams of, a post that each has taken; the slowest. One
 * after the other: a process that has just taken one itself looks for others as well.
 */
export async function toldAcross(wall: BusyWall, addresses: readonly string[], { token }: Person): Promise<number> {
  let slowest = 0;
  for (const [i, address] of addresses.entries()) {
    const next = (i + 1) % addresses.length;
    slowest = Math.max(slowest, await told(address, addresses[next]!, wall.followers[next]!.seen, token));
  }
  return slowest;
}

async function told(from: string, to: string, seen: ReadonlySet<string>, token: string): Promise<number> {
  const response = await fetch(`${from}/api/v1/posts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: `от ${from} до ${to}, ${performance.now()}` }),
  });
  const { id } = (await response.json()) as { id: string };
  const began = performance.now();
  const shows = async (): Promise<boolean> => (await fetch(`${to}/api/v1/posts/${id}`)).status === 200;
  while (!(seen.has(id) && (await shows()))) {
    if (performance.now() - began > patienceMs) return Infinity;
    await sleep(5);
  }
  return performance.now() - began;
}
