import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#client/create-client.ts';
import { createPost } from '#contract/posts.ts';
import { count, kilobytes, median, milliseconds } from '../measurements/numbers.ts';
import { below } from '../measurements/report.ts';
import { Subscribers } from '../measurements/subscribers.ts';
import type { Scenario } from './scenario.ts';
import { shownPost } from '../kit/shown-post.ts';

const posts = 10_000;
const readers = 2_000;
const published = 20;
const connectAtOnce = 100;
const receivedUnderMs = 1_000;
const bytesUnder = 50_000;

/** Many open pages: the memory that each takes, and the time until a new post has reached the last of them. */
export const liveReaders: Scenario = {
  name: 'live-readers',
  async measure({ servers }) {
    const { server, people } = await servers.writable(posts, 1);
    const call = createClient({ baseUrl: server.address, token: people[0]!.token });
    const publish = async (text: string) => shownPost(await call(createPost, { body: { text } })).id;
    await publish('первая');
    const before = await server.usage();
    const subscribers = new Subscribers();
    for (let i = 0; i < readers; i += 1) {
      await subscribers.add(server.port);
      if (i % connectAtOnce === 0) await sleep(1);
    }
    await sleep(1_000);
    const each = ((await server.usage()).memoryBytes - before.memoryBytes) / readers;

    const tookMs: number[] = [];
    for (let i = 0; i < published; i += 1) {
      const begun = performance.now();
      await subscribers.received(await publish(`слушайте ${i}`));
      tookMs.push(performance.now() - begun);
    }
    subscribers.close();
    return [
      below(
        `a new post has reached ${count(readers)} open pages`,
        Math.max(...tookMs),
        receivedUnderMs,
        `slowest of ${published}, from before the request to the last page; median ${milliseconds(median(tookMs))}`,
      ),
      below(
        'memory per open page',
        each,
        bytesUnder,
        `resident memory with ${count(readers)} of them and with none`,
        kilobytes,
      ),
    ];
  },
};
