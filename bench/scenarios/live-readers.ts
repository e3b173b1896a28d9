import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from '../door.ts';
import { Audience } from '../load/audience.ts';
import { count, kilobytes, milliseconds } from '../format.ts';
import type { Scenario } from '../scenario.ts';
import { median } from '../statistics.ts';

const posts = 10_000;
const readers = 2_000;
const published = 20;
const connectAtOnce = 100;
const reachedUnderMs = 1_000;
const bytesUnder = 50_000;

/** So many pages open at once: what they cost, and how soon a new post has reached the last of them. */
export const liveReaders: Scenario = {
  name: 'live-readers',
  async measure({ servers }) {
    const app = await servers.writable(posts);
    const token = await signIn(app.port, await servers.mail(), 'speaker@example.org');
    await publish(app.port, token, 'первая');
    const before = await app.usage();
    const audience = new Audience();
    for (let i = 0; i < readers; i += 1) {
      await audience.join(app.port);
      if (i % connectAtOnce === 0) await sleep(1);
    }
    await sleep(1_000);
    const each = ((await app.usage()).memoryBytes - before.memoryBytes) / readers;

    const reached: number[] = [];
    for (let i = 0; i < published; i += 1) {
      const begun = performance.now();
      await audience.hearsOf(await publish(app.port, token, `слушайте ${i}`));
      reached.push(performance.now() - begun);
    }
    audience.leave();
    const longest = Math.max(...reached);
    return [
      {
        what: `a new post has reached ${count(readers)} open pages`,
        measured: milliseconds(longest),
        target: `< ${milliseconds(reachedUnderMs)}`,
        ok: longest < reachedUnderMs,
        detail: `longest of ${published}, from before it was sent to the last page; median ${milliseconds(median(reached))}`,
      },
      {
        what: 'memory for each open page',
        measured: kilobytes(each),
        target: `< ${kilobytes(bytesUnder)}`,
        ok: each < bytesUnder,
        detail: `resident memory with ${count(readers)} of them against none`,
      },
    ];
  },
};

async function publish(port: number, token: string, text: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/posts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ text }),
  });
  if (response.status !== 201) throw new Error(`Publishing was answered with ${response.status}`);
  return ((await response.json()) as { id: string }).id;
}
