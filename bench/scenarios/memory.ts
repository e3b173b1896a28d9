import { count, megabytes } from '../format.ts';
import { Requests } from '../load/requests.ts';
import { runLoad } from '../load/run-load.ts';
import { feedPage, pageAfter, postPath, randomIds } from '../paths.ts';
import type { Scenario } from '../scenario.ts';

const posts = 1_000_000;
const different = 20_000;
const connections = 64;
const under = 220e6;

/** What people ask for, in turn. */
const visits = [() => feedPage, () => '/', postPath, (id: number) => `/posts/${id}`, pageAfter];

export const memory: Scenario = {
  name: 'memory',
  async measure({ servers, seconds }) {
    const app = await servers.app(posts);
    const ids = randomIds(different, posts);
    const requests = new Requests(different, (i) => visits[i % visits.length]!(ids[i]!));
    const { count: requested } = await runLoad({ port: app.port, requests, seconds: 5 * seconds, connections });
    const { memoryBytes } = await app.usage();
    return [
      {
        what: 'memory (RSS) at 1,000,000 posts after the run',
        measured: megabytes(memoryBytes),
        target: `< ${megabytes(under)}`,
        ok: memoryBytes < under,
        detail: `after ${count(requested)} mixed requests, pages and JSON`,
      },
    ];
  },
};
