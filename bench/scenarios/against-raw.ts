import { standing } from '../format.ts';
import { Requests } from '../load/requests.ts';
import { takeTurns } from '../load/take-turns.ts';
import { feedPage, pageAfter, postPath, randomIds, shuffledIds } from '../paths.ts';
import type { Scenario } from '../scenario.ts';
import type { Servers } from '../servers/servers.ts';

/** The wall all of them are measured on. */
export const posts = 100_000;
const capturedAnswers = 64;

interface AgainstRaw {
  name: string;
  what: string;
  atLeast: number;
  paths: () => string[];
  /** Whose requests they are; a visitor's when left out. */
  headers?: (servers: Servers) => Promise<Record<string, string>>;
}

/** The app against a bare node:http server that sends the same bytes. */
export const againstRaw = ({ name, what, atLeast, paths: makePaths, headers: makeHeaders }: AgainstRaw): Scenario => ({
  name,
  async measure({ servers, seconds }) {
    const paths = makePaths();
    const app = await servers.app(posts);
    const headers = (await makeHeaders?.(servers)) ?? {};
    const requests = new Requests(paths.length, (i) => paths[i]!, headers);
    const raw = await servers.raw(app, paths.slice(0, capturedAnswers), headers);
    const [bare, ours] = await takeTurns(
      [
        { server: raw, requests },
        { server: app, requests },
      ],
      seconds,
    );
    await raw.stop();
    const ratio = ours.perSecond / bare.perSecond;
    return [
      {
        what,
        measured: `${ratio.toFixed(2)} × raw`,
        target: `≥ ${atLeast} × raw`,
        ok: ratio >= atLeast,
        detail: `${standing(ours)}; raw ${standing(bare)}`,
      },
    ];
  },
});

export const feedJson = againstRaw({
  name: 'feed-json',
  what: 'feed page, JSON',
  atLeast: 0.75,
  paths: () => [feedPage],
});

export const feedHtml = againstRaw({
  name: 'feed-html',
  what: 'feed page, HTML',
  atLeast: 0.7,
  paths: () => ['/'],
});

export const onePost = againstRaw({
  name: 'one-post',
  what: 'one post, a random one, JSON',
  atLeast: 0.5,
  paths: () => randomIds(posts, posts).map(postPath),
});

export const randomCursor = againstRaw({
  name: 'random-cursor',
  what: 'feed page not in memory, JSON',
  atLeast: 0.2,
  paths: () => shuffledIds(1, posts).map(pageAfter),
});
