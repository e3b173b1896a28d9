import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../kit/node-process.ts';
import type { ServerProcess } from '../kit/server-process.ts';
import { type MailServer, startMailServer } from '../kit/smtp.ts';
import { device } from '../kit/sign-in.ts';
import { fillDemo } from '../measurements/demo-wall.ts';
import { count, median, megabytes, microseconds } from '../measurements/numbers.ts';
import { discussedPage, feedPage, pageAfter, postPath, randomIds, shuffledIds } from '../measurements/paths.ts';
import { machine, table } from '../measurements/report.ts';
import {
  encode,
  inTurn,
  liking,
  publishing,
  Requests,
  type RequestSource,
  searching,
} from '../measurements/requests.ts';
import { runLoad, runSteadily } from '../measurements/run-load.ts';
import { folderOnDisk, Servers } from '../measurements/servers.ts';
import { openStreams } from './live-streams.ts';
import { rawServer } from './raw.ts';
import { measureRound, pageConnections, type Round } from './rounds.ts';

const posts = 100_000;
const people = 16;
const replies = 30;
const rounds = 5;
const warmUpSeconds = 1;
const streams = 2_000;

/** One of the two trees, with a process of its own in each round. */
interface Side {
  folder: string;
  dataDir: string;
  server: ServerProcess;
  people: readonly SignedIn[];
}

interface SignedIn {
  cookie: string;
  token: string;
}

interface Load {
  requests: RequestSource;
  connections?: number;
  /** Requests that make one of what is counted. */
  each?: number;
  /** The bare server sends the responses to these. */
  cached?: readonly string[];
}

type Row = (side: Side, facts: Facts) => Load | Promise<Load>;

/** What the rows ask for, found in the data that both trees have. */
interface Facts {
  discussion: number;
  discussions: readonly number[];
  author: string;
}

const get = (paths: readonly string[], headers = {}): Load => ({ requests: new Requests(paths, headers) });
const cached = (path: string): Load => ({ ...get([path]), cached: [path] });
const visited = (paths: readonly string[]): Load => ({ ...get(paths), connections: pageConnections });
const tokensOf = (side: Side): string[] => side.people.map(({ token }) => token);
const bearer = ({ people: [first] }: Side) => ({ authorization: `Bearer ${first!.token}` });

/** Ids whose frequency falls as their rank: the n-th is asked for a n-th as often as the first. */
const zipfIds = (): number[] =>
  randomIds(300_000, 2 ** 30).map((random) => Math.max(1, Math.floor(posts ** (random / 2 ** 30))));

const rows: Readonly<Record<string, Row>> = {
  'feed-json': () => cached(feedPage),
  'feed-html': () => cached('/'),
  'discussed-json': () => cached(discussedPage),
  'thread-json': (_, { discussion }) => cached(`/api/v1/posts/${discussion}/thread`),
  'thread-html': (_, { discussion }) => cached(`/posts/${discussion}`),
  'person-html': (_, { author }) => cached(`/users/${author}`),
  'one-post': () => get(randomIds(posts, posts).map(postPath)),
  'one-post-zipf': () => get(zipfIds().map(postPath)),
  'feed-uncached': () => get(shuffledIds(1, posts).map(pageAfter)),
  'feed-html-uncached': () => visited(shuffledIds(1, posts).map((id) => `/?cursor=c${id.toString(36)}`)),
  'thread-uncached': (_, { discussions }) =>
    get(
      shuffledIds(1, 20_000).flatMap((i) =>
        discussions.map((id) => `/api/v1/posts/${id}/thread?limit=50&cursor=c${(10 * posts + i).toString(36)}`),
      ),
    ),
  'signed-in-feed': (side) => get([feedPage], bearer(side)),
  settings: settingsPage,
  search: () => ({ requests: searching(), connections: 1 }),
  publish: (side) => ({ requests: publishing(tokensOf(side)) }),
  likes: (side) => ({ requests: liking(tokensOf(side), randomIds(2_000, posts)) }),
};

/** Up to its content: the page alone if it comes complete, otherwise also the calls by which scripts fill it. */
async function settingsPage({ server, people: [person] }: Side): Promise<Load> {
  const path = '/settings/devices';
  const headers = { cookie: person!.cookie };
  const html = await (await fetch(server.address + path, { headers })).text();
  if (html.includes('Текущий сеанс')) return { requests: new Requests([path], headers), connections: pageConnections };
  const authorization = { authorization: `Bearer ${person!.token}` };
  const renewal = { ...headers, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const requests = inTurn([
    encode('GET', path, headers),
    encode('PATCH', '/api/v1/sessions/current', renewal, JSON.stringify({ clientToken })),
    encode('GET', '/api/v1/users/current', authorization),
    encode('GET', '/api/v1/sessions', authorization),
  ]);
  return { requests, connections: pageConnections, each: 4 };
}

/** What is not a load of requests alone. */
const special: Readonly<Record<string, (side: Side, seconds: number) => Promise<Round>>> = {
  'feed-under-writes': async (side, seconds) => {
    const { port } = side.server;
    const writes = { port, requests: publishing(tokensOf(side)), seconds, connections: 8, perSecond: 200 };
    const [round] = await Promise.all([
      measureRound({ server: side.server, requests: new Requests([feedPage]) }, seconds),
      runSteadily(writes),
    ]);
    return round;
  },
  /** For each event of each page. */
  'live-readers': async (side, seconds) => {
    const { server } = side;
    await using pages = await openStreams(
      server.port,
      Array.from({ length: streams }, () => '/api/v1/events'),
    );
    await sleep(1_000);
    const had = pages.events.reduce((sum, n) => sum + n, 0);
    const before = await server.usage();
    const writes = { port: server.port, requests: publishing(tokensOf(side)), connections: 4, perSecond: 25 };
    await runSteadily({ ...writes, seconds: Math.max(3, seconds) });
    await sleep(1_000);
    const after = await server.usage();
    const events = pages.events.reduce((sum, n) => sum + n, 0) - had;
    return {
      perSecond: events / (seconds + 1),
      p99Ms: 0,
      cpuMicroseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / events,
    };
  },
};

export const rowNames = [...Object.keys(rows), ...Object.keys(special), 'memory'];

/** Requests after which the memory is read. */
const visits = [0, 20_000, 100_000];

/**
 * Two trees over the same data. In each round both get a new process, because two processes of one build differ by up to a
 * quarter over a whole row; a row is measured on one and the other in turn. Processor time counts: the machine disturbs it least.
 */
export async function measureAgainst(other: string, only: readonly string[], seconds: number): Promise<string> {
  await using servers = new Servers();
  await using mail = await startMailServer();
  const folders = [treeOf(other), root];
  const folder = await folderOnDisk();
  const data = join(folder, 'data');
  const settings = { SMTP_URL: mail.url };
  const program = (tree: string) => join(tree, 'server/main.ts');
  try {
    await fillDemo({ databaseUrl: undefined, dataDir: data }, posts, join(folders[0]!, 'demo/main.ts'));
    const facts = factsIn(data);
    const first = await servers.start({ databaseUrl: undefined, dataDir: data }, settings, program(folders[0]!));
    const cookies = await register(first, mail);
    await first.stop();

    const measured = new Map<string, Round[][]>();
    const note = (row: string, side: number, round: Round) => {
      const both = measured.get(row) ?? [[], [], []];
      both[side]!.push(round);
      measured.set(row, both);
    };
    for (let round = 0; round < rounds; round += 1) {
      console.error(`Round ${round + 1} of ${rounds}…`);
      const sides: Side[] = [];
      for (const [i, tree] of folders.entries()) {
        const dataDir = join(folder, `${i}`);
        rmSync(dataDir, { recursive: true, force: true });
        cpSync(data, dataDir, { recursive: true });
        const server = await servers.start({ databaseUrl: undefined, dataDir }, settings, program(tree));
        sides.push({ folder: tree, dataDir, server, people: await renewed(server, cookies) });
      }
      const inOrder = [0, 1].toSorted((a, b) => (round % 2 === 0 ? a - b : b - a));
      if (only.includes('memory')) {
        for (const i of inOrder) await noteMemory(sides[i]!, (row, bytes) => note(row, i, bytes));
      }
      for (const name of only) {
        const row = rows[name];
        for (const i of inOrder) {
          const side = sides[i]!;
          if (row) {
            const { each = 1, ...load } = await row(side, facts);
            await measureRound({ server: side.server, ...load }, warmUpSeconds);
            const result = await measureRound({ server: side.server, ...load }, seconds);
            note(name, i, {
              ...result,
              perSecond: result.perSecond / each,
              cpuMicroseconds: result.cpuMicroseconds * each,
            });
          } else if (special[name]) note(name, i, await special[name](side, seconds));
        }
        const { cached: paths } = row ? await row(sides[1]!, facts) : {};
        if (paths) {
          const raw = await rawServer(sides[1]!.server.address, paths);
          await measureRound({ server: raw, requests: new Requests(paths) }, warmUpSeconds);
          note(name, 2, await measureRound({ server: raw, requests: new Requests(paths) }, seconds));
          await raw.stop();
        }
      }
      for (const { server } of sides) await server.stop();
    }
    return reportOf(measured, other);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function noteMemory(side: Side, note: (row: string, round: Round) => void): Promise<void> {
  const { port } = side.server;
  const kinds = [() => feedPage, () => '/', postPath, (id: number) => `/posts/${id}`, pageAfter];
  const requests = new Requests(randomIds(20_000, posts).map((id, i) => kinds[i % kinds.length]!(id)));
  let sent = 0;
  for (const target of visits) {
    while (sent < target) {
      sent += (await runLoad({ port, requests, seconds: 0.2, connections: pageConnections })).count;
    }
    const { memoryBytes } = await side.server.usage();
    note(`memory after ${count(target)} requests`, { perSecond: 0, p99Ms: 0, cpuMicroseconds: memoryBytes });
  }
}

/** The folder of a tree: a folder, or the sources of a commit, installed and built. */
function treeOf(name: string): string {
  if (existsSync(name)) return resolve(name);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, maxBuffer: 2 ** 30 });
  const commit = git('rev-parse', '--verify', `${name}^{commit}`).toString().trim();
  const folder = join(root, 'node_modules/.cache/trees', commit);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  execFileSync('tar', ['-x', '-C', unfinished], { input: git('archive', commit) });
  console.error(`Building ${name} in ${folder}…`);
  execFileSync('npm', ['run', 'build'], { cwd: unfinished, stdio: ['ignore', 'ignore', 'inherit'] });
  renameSync(unfinished, folder);
  return folder;
}

function factsIn(dataDir: string): Facts {
  const database = new DatabaseSync(join(dataDir, 'stena.sqlite'), { readOnly: true });
  const ids = (min: number, max: number) =>
    database
      .prepare(
        'select id from posts where replied_post_id is null and thread_count between ? and ? order by id limit 150',
      )
      .all(min, max)
      .map(({ id }) => Number(id));
  const author = database
    .prepare(
      `select u.username from users u join posts p on p.user_id = u.id where u.username is not null
       group by u.id order by count(*) desc, u.id limit 1`,
    )
    .get();
  const facts = {
    discussion: ids(replies, replies)[0]!,
    discussions: ids(replies - 5, replies + 5),
    author: String(author!['username']),
  };
  database.close();
  return facts;
}

const clientToken = 'bench';

async function send(server: ServerProcess, method: string, path: string, body: object, cookie = '') {
  const response = await fetch(`${server.address}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
  return response;
}

/** New people, by the calls that every version has. */
async function register(server: ServerProcess, mail: MailServer): Promise<string[]> {
  const cookies: string[] = [];
  for (let i = 0; i < people; i += 1) {
    const email = `bench_${i}@example.org`;
    const started = await send(server, 'POST', '/registrations', { email, clientToken, device });
    const { id } = (await started.json()) as { id: string };
    const confirmCode = await mail.codeTo(email);
    const entered = await send(server, 'POST', `/registrations/${id}/verify`, { confirmCode, clientToken });
    cookies.push(
      entered.headers
        .getSetCookie()
        .map((line) => line.split(';', 1)[0])
        .join('; '),
    );
  }
  return cookies;
}

async function renewed(server: ServerProcess, cookies: readonly string[]): Promise<SignedIn[]> {
  return Promise.all(
    cookies.map(async (cookie) => {
      const response = await send(server, 'PATCH', '/sessions/current', { clientToken }, cookie);
      const { accessToken } = (await response.json()) as { accessToken: { token: string } };
      return { cookie, token: accessToken.token };
    }),
  );
}

function reportOf(measured: ReadonlyMap<string, Round[][]>, other: string): string {
  const lines = [...measured].map(([name, [before, after, bare]]) => {
    const show = name.startsWith('memory') ? megabytes : microseconds;
    const cost = (side: Round[]) => side.map(({ cpuMicroseconds }) => cpuMicroseconds);
    const rate = (side: Round[]) => median(side.map(({ perSecond }) => perSecond));
    const said = (side: Round[]) =>
      side.length === 0 ? '–' : `${show(median(cost(side)))}${rate(side) > 0 ? `, ${count(rate(side))}/s` : ''}`;
    const ratios = after!.map(({ cpuMicroseconds }, i) => cpuMicroseconds / before![i]!.cpuMicroseconds);
    return [
      name,
      said(before!),
      said(after!),
      said(bare!),
      (median(cost(after!)) / median(cost(before!))).toFixed(2),
      (Math.min(...cost(after!)) / Math.min(...cost(before!))).toFixed(2),
      `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
    ];
  });
  const headings = ['row', other, 'this tree', 'bare server', 'medians', 'best', 'rounds'];
  return [
    `Node ${process.versions.node}, ${machine()}, ${rounds} rounds. Processor time of the server for a request, and requests a second; ratios of processor time.`,
    '',
    table(headings, lines),
  ].join('\n');
}
