import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
const rounds = 9;
/** After a second the code of some rows is not compiled yet. A tree with more code then costs half as much again, and a tenth after this time. */
const warmUpSeconds = 3;
/** Turns are shorter than disturbances by other work of the machine, so both turns of a pair meet the same disturbance. */
const turnSeconds = 0.1;
/** All jobs of a new process have begun after this time: most begin within a minute. */
const settlingSeconds = 70;
const streams = 2_000;

/** One of the two trees, with a process of its own in each round. */
interface Side {
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
  /** This many requests count as one. */
  each?: number;
  /** The bare server sends the responses to these. */
  cached?: readonly string[];
}

/** The measurements of one process for a row, one of each turn. */
type Turns = Round[];

type Row = (side: Side, facts: Facts) => Load | Promise<Load>;

/** Ids and names that the requests of the rows contain. Both trees have this data. */
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
  'users-current': (side) => get(['/api/v1/users/current'], bearer(side)),
  settings: settingsPage,
  search: () => ({ requests: searching(), connections: 1 }),
  publish: (side) => ({ requests: publishing(tokensOf(side)) }),
  likes: (side) => ({ requests: liking(tokensOf(side), randomIds(2_000, posts)) }),
};

/** The requests until the settings show their content: the page alone if it is complete, otherwise also the calls of its scripts. */
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

/** Measures a row on one side, turn by turn. */
interface Probe {
  turn(seconds: number): Promise<Round>;
  end?(): PromiseLike<void>;
  cached?: Load['cached'] | undefined;
}

/** Rows that need more than a load of requests. */
const special: Readonly<Record<string, (side: Side) => Promise<Probe>>> = {
  'feed-under-writes': async (side) => {
    const { server } = side;
    const [requests, writes] = [new Requests([feedPage]), publishing(tokensOf(side))];
    return {
      async turn(seconds) {
        const [round] = await Promise.all([
          measureRound({ server, requests }, seconds),
          runSteadily({ port: server.port, requests: writes, seconds, connections: 8, perSecond: 200 }),
        ]);
        return round;
      },
    };
  },
  /** The cost of sending one event to one page. */
  'live-readers': async (side) => {
    const { server } = side;
    const writes = publishing(tokensOf(side));
    const pages = await openStreams(
      server.port,
      Array.from({ length: streams }, () => '/api/v1/events'),
    );
    const received = () => pages.events.reduce((sum, n) => sum + n, 0);
    await sleep(1_000);
    return {
      async turn() {
        const [had, before, begun] = [received(), await server.usage(), performance.now()];
        await runSteadily({ port: server.port, requests: writes, seconds: 0.5, connections: 4, perSecond: 25 });
        await sleep(500);
        const [after, events] = [await server.usage(), received() - had];
        return {
          perSecond: (events / (performance.now() - begun)) * 1_000,
          p99Ms: 0,
          cpuMicroseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / events,
        };
      },
      end: () => pages[Symbol.asyncDispose](),
    };
  },
};

export const rowNames = [...Object.keys(rows), ...Object.keys(special), 'memory'];

/** Requests after which the memory is read. */
const visits = [0, 20_000, 100_000];
/** They take a minute, and the memory differs little between two processes. */
const memoryRounds = 3;

/**
 * Compares two trees over the same data by the processor time of a request, which other work of the machine disturbs least. On
 * shared processors this time varies by a third from second to second. So both trees are measured in short turns, one after the
 * other, and the result of a round is the median ratio of such pairs. One process in ten needs a quarter more time than others for
 * everything. So each round starts new processes, and the median of all rounds counts.
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
    const settled: string[] = [];
    for (const [i, tree] of folders.entries()) {
      const dataDir = join(folder, `settled-${i}`);
      cpSync(data, dataDir, { recursive: true });
      const server = await servers.start({ databaseUrl: undefined, dataDir }, settings, program(tree));
      await untilIdle(server);
      await server.stop();
      settled.push(dataDir);
    }

    const measured = new Map<string, Turns[][]>();
    const note = (row: string, side: number, turns: Turns) => {
      const both = measured.get(row) ?? [[], [], []];
      both[side]!.push(turns);
      measured.set(row, both);
    };
    for (let round = 0; round < rounds; round += 1) {
      console.error(`Round ${round + 1} of ${rounds}…`);
      const sides: Side[] = [];
      for (const [i, tree] of folders.entries()) {
        const dataDir = join(folder, `round-${i}`);
        rmSync(dataDir, { recursive: true, force: true });
        cpSync(settled[i]!, dataDir, { recursive: true });
        const server = await servers.start({ databaseUrl: undefined, dataDir }, settings, program(tree));
        sides.push({ server, people: await renewed(server, cookies) });
      }
      const inOrder = [0, 1].toSorted((a, b) => (round % 2 === 0 ? a - b : b - a));
      if (only.includes('memory') && round < memoryRounds) {
        for (const i of inOrder) await noteMemory(sides[i]!, (row, bytes) => note(row, i, [bytes]));
      }
      for (const name of only) {
        if (name === 'memory') continue;
        const results = await alternated(name, sides, facts, inOrder, seconds);
        for (const [i, result] of results.entries()) note(name, i, result);
      }
      for (const { server } of sides) await server.stop();
    }
    return reportOf(measured, other);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Waits until the server is idle: after an upgrade the jobs of the first minute fill what the earlier version did not have. */
async function untilIdle(server: ServerProcess): Promise<void> {
  const used = async () => (await server.usage()).cpuMicroseconds;
  await sleep(settlingSeconds * 1_000);
  for (let before = await used(); ;) {
    await sleep(1_000);
    const now = await used();
    if (now - before < 50_000) return;
    before = now;
  }
}

/** One row on both sides and on the bare server, in short turns. */
async function alternated(
  name: string,
  sides: readonly Side[],
  facts: Facts,
  order: readonly number[],
  seconds: number,
): Promise<Turns[]> {
  const probes = await Promise.all(
    sides.map(async (side) =>
      special[name] ? special[name](side) : probeOf(side.server, await rows[name]!(side, facts)),
    ),
  );
  const paths = probes[1]!.cached;
  const raw = paths && (await rawServer(sides[1]!.server.address, paths));
  if (raw) probes.push(probeOf(raw, get(paths)));
  // A turn takes up to a fifth longer or shorter depending on what ran before it. So each side follows the other, or each the bare server.
  const inTurns = raw ? order.flatMap((i) => [i, 2]) : order;
  for (const i of inTurns) await probes[i]!.turn(warmUpSeconds);
  const results: Turns[] = probes.map(() => []);
  for (let turn = 0; turn < Math.round(seconds / turnSeconds); turn += 1) {
    for (const i of inTurns) results[i]!.push(await probes[i]!.turn(turnSeconds));
  }
  for (const probe of probes) await probe.end?.();
  await raw?.stop();
  return results;
}

function probeOf(server: ServerProcess, load: Load): Probe {
  const { each = 1, requests, connections } = load;
  return {
    cached: load.cached,
    async turn(seconds) {
      const round = await measureRound({ server, requests, ...(connections && { connections }) }, seconds);
      return { ...round, perSecond: round.perSecond / each, cpuMicroseconds: round.cpuMicroseconds * each };
    },
  };
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
  // Not below node_modules, where Node strips no types.
  const folder = join(tmpdir(), 'stena-trees', commit);
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
    // A demo wall may have no discussion with exactly 30 replies.
    discussion: ids(replies, replies + 5)[0]!,
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

/** `measured` holds the rows, each with the turns of the other tree, of this one and of the bare server. */
export function reportOf(measured: ReadonlyMap<string, Turns[][]>, other: string): string {
  const lines = [...measured].map(([name, [before, after, bare]]) => {
    const show = name.startsWith('memory') ? megabytes : microseconds;
    const cost = (turns: Turns) => turns.map(({ cpuMicroseconds }) => cpuMicroseconds);
    const rate = (side: Turns[]) => median(side.flat().map(({ perSecond }) => perSecond));
    const said = (side: Turns[]) =>
      side.length === 0 ? '–' : `${show(median(cost(side.flat())))}${rate(side) > 0 ? `, ${count(rate(side))}/s` : ''}`;
    const ratios = after!.map((turns, i) => cost(turns).map((spent, turn) => spent / cost(before![i]!)[turn]!));
    const [costBefore, costAfter] = [cost(before!.flat()), cost(after!.flat())];
    const ofRounds = ratios.map(median);
    return [
      name,
      said(before!),
      said(after!),
      said(bare!),
      median(ofRounds),
      median(costAfter) / median(costBefore),
      Math.min(...costAfter) / Math.min(...costBefore),
      `${Math.min(...ofRounds).toFixed(2)} to ${Math.max(...ofRounds).toFixed(2)}`,
    ].map((cell) => (typeof cell === 'number' ? cell.toFixed(2) : cell));
  });
  const headings = ['row', other, 'this tree', 'bare server', 'pairs', 'medians', 'best', 'rounds'];
  return [
    `Node ${process.versions.node}, ${machine()}, ${rounds} rounds. Processor time of the server for a request, and requests a second; ratios of processor time.`,
    '',
    table(headings, lines),
  ].join('\n');
}
