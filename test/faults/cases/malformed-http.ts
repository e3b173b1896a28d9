import { count, milliseconds } from '../../measurements/numbers.ts';
import { type Figure, none } from '../../measurements/report.ts';
import { openDatabase } from '../../../server/db/open-database.ts';
import { createUser } from '../../kit/create-user.ts';
import { freshStorage } from '../../kit/engines.ts';
import { startServer } from '../../kit/server-process.ts';
import { lacksNginx, startProxy } from '../../kit/proxy.ts';
import { Readers } from '../kit/load.ts';
import * as http from '../malformed/malformed.ts';
import { damaged, malformed } from '../malformed/requests.ts';
import { exactly, type Extent, type Fault, hangsAfterMs } from '../fault.ts';

const quietMs = { short: 300, whole: 700 };
/** Time after which the server has ended unfinished requests; 0 does not wait for it. */
const unfinishedEndAfterMs = { short: 0, whole: 18_000 };
const ofOneWall = 128;
const damagedRequests = { short: 200, whole: 5_000 };
/** The level `error` of pino. */
const errorLevel = 50;
const pipelined = { some: 30, many: 10_000 };

/** Invalid or ambiguous HTTP: one response per request, none to a hidden one, and other readers are not affected. */
export const malformedHttp: Fault = {
  name: 'malformed-http',
  async run(extent) {
    await using cleanup = new AsyncDisposableStack();
    const { storage } = cleanup.use(await freshStorage('sqlite'));
    const db = await openDatabase(storage, () => {});
    await db.tx((tx) => createUser(tx, { username: http.canary, email: 'canary@example.org', now: 1 }));
    await db.close();
    const server = cleanup.use(await startServer(storage, { LOG_LEVEL: 'trace', TRUST_PROXY: '127.0.0.1' }));
    const { port } = server;
    const figures = [await attacked('directly', port, extent), await pipelining(port, pipelined)];
    if (extent === 'whole' && !(await lacksNginx())) {
      const nginx = cleanup.use(await startProxy('nginx', [port], { plain: true }));
      figures.push(await attacked('through nginx', nginx.port, extent));
    }
    await server.stop();
    return [...figures, await logged(server.logs)];
  },
};

async function attacked(way: http.Way, port: number, extent: Extent): Promise<Figure> {
  const readers = new Readers(`http://127.0.0.1:${port}`);
  const random = damaged(damagedRequests[extent]);
  const faults = [
    ...(await faultsOf(malformed, port, way, quietMs[extent], unfinishedEndAfterMs[extent])),
    ...(await faultsOf(random, port, way, quietMs.short, 0)),
  ];
  await readers.stop();
  const { wrong, tookMs } = readers;
  for (const fault of [...faults, ...wrong]) console.error(`${way}: ${fault}`);
  const what = `malformed HTTP, ${malformed.length} kinds and ${count(random.length)} at random, ${way}`;
  const detail = `${count(tookMs.length)} ordinary requests beside them, slowest ${milliseconds(readers.slowestMs)}`;
  const word = 'faults and wrong responses to readers';
  return exactly(what, [faults.length, wrong.length], [0, 0], detail, { word, enough: tookMs.length > 0 });
}

/** Sends the next request after a silence of `quiet` ms. If `patienceMs` is not 0, an unfinished request must end within that time. */
async function faultsOf(
  all: readonly http.Malformed[],
  port: number,
  way: http.Way,
  quiet: number,
  patienceMs: number,
): Promise<string[]> {
  const faults: string[] = [];
  for (let i = 0; i < all.length; i += ofOneWall) {
    const some = all.slice(i, i + ofOneWall).map(async (one) => {
      const steps = [...one.steps, { untilQuietMs: quiet }, http.nextRequest];
      const conversation = await http.converse(port, steps, one.swallows ? patienceMs || quiet : hangsAfterMs);
      const fault = http.faultOf(one, conversation, { way, waited: patienceMs > 0 });
      if (fault) faults.push(`${one.name}: ${fault}`);
    });
    await Promise.all(some);
  }
  return faults;
}

/** Some requests at once, fewer than the server accepts, get their responses in order; far too many end the connection. */
async function pipelining(port: number, { some, many }: { some: number; many: number }): Promise<Figure> {
  const ask = async (times: number) => {
    const steps = [http.get('/healthz').repeat(times - 1), http.nextRequest];
    const conversation = await http.converse(port, steps, hangsAfterMs);
    const right = conversation.responses.filter(({ body }) => body === '{"status":"ok"}').length;
    return { ...conversation, right: right + Number(http.nextSucceeded(conversation)) };
  };
  const [few, flood] = [await ask(some), await ask(many)];
  const { length } = flood.responses;
  const enough = few.responses.length === some && flood.ended && length < many && flood.right === length;
  const what = `${some} requests at once on one connection, and ${count(many)}, which end it`;
  return exactly(what, [few.right], [some], `${length} responses before the end`, { word: 'responses', enough });
}

async function logged(logs: Promise<string>): Promise<Figure> {
  const lines = (await logs).trim().split('\n');
  const bad = lines.filter(isBadLogLine);
  for (const line of bad) console.error(line);
  return none('log lines', bad.length, 'bad', `of ${lines.length}: JSON, none forged, no failed request`);
}

/** Not JSON, forged by a request, or a failure of the server. */
function isBadLogLine(line: string): boolean {
  try {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string };
    return level >= errorLevel || msg === 'forged';
  } catch {
    return true;
  }
}
