import { count, milliseconds } from '../../measurements/numbers.ts';
import { type Figure, none } from '../../measurements/report.ts';
import { openDatabase } from '../../../server/db/open-database.ts';
import { createUser } from '../../kit/create-user.ts';
import { freshPlace } from '../../kit/engines.ts';
import { startServer } from '../../kit/server-process.ts';
import { lacksNginx, startProxy } from '../../kit/proxy.ts';
import { Readers } from '../kit/readers.ts';
import { damaged } from '../malformed/damaged.ts';
import { badLengths } from '../malformed/lengths-and-chunks.ts';
import { badLines } from '../malformed/lines.ts';
import { canary, faultOf, type Malformed, nextRequest, nextSucceeded, type Way } from '../malformed/malformed.ts';
import { converse, type Conversation } from '../malformed/raw-http.ts';
import { badEnds } from '../malformed/sizes-and-ends.ts';
import { type Extent, type Fault, hangsAfterMs } from '../fault.ts';

const quietMs = { short: 300, whole: 700 };
/** Time after which the server has ended unfinished requests; 0 does not wait for it. */
const unfinishedEndAfterMs = { short: 0, whole: 18_000 };
const ofOneWall = 128;
const known: readonly Malformed[] = [...badLengths, ...badLines, ...badEnds];
const damagedRequests = { short: 200, whole: 5_000 };
/** The level `error` of pino. */
const errorLevel = 50;
const pipelined = { some: 30, many: 10_000 };

/** Invalid or ambiguous HTTP: one response per request, none to a hidden one, and other readers are not affected. */
export const malformedHttp: Fault = {
  name: 'malformed-http',
  async run(extent) {
    await using cleanup = new AsyncDisposableStack();
    const { place } = cleanup.use(await freshPlace('sqlite'));
    const db = await openDatabase(place, () => {});
    await db.tx((tx) => createUser(tx, { username: canary, email: 'canary@example.org', now: 1 }));
    await db.close();
    const server = cleanup.use(await startServer(place, { LOG_LEVEL: 'trace', TRUST_PROXY: '127.0.0.1' }));
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

async function attacked(way: Way, port: number, extent: Extent): Promise<Figure> {
  const readers = new Readers(`http://127.0.0.1:${port}`);
  const random = damaged(damagedRequests[extent]);
  const patient = { quietMs: quietMs[extent], patienceMs: unfinishedEndAfterMs[extent] };
  const hasty = { quietMs: quietMs.short, patienceMs: 0 };
  const faults = [...(await faultsOf(known, port, way, patient)), ...(await faultsOf(random, port, way, hasty))];
  await readers.stop();
  const { wrong, tookMs } = readers;
  for (const fault of [...faults, ...wrong]) console.error(`${way}: ${fault}`);
  return {
    what: `malformed HTTP, ${known.length} kinds and ${count(random.length)} at random, ${way}`,
    measured: `${faults.length} faults, ${wrong.length} wrong responses to readers`,
    target: '0 and 0',
    ok: faults.length + wrong.length === 0 && tookMs.length > 0,
    detail: `${count(tookMs.length)} ordinary requests beside them, slowest ${milliseconds(readers.slowestMs)}`,
  };
}

interface Patience {
  /** Silence after which the next request is sent. */
  quietMs: number;
  /** Maximum wait for the end of an unfinished request; 0 does not wait. */
  patienceMs: number;
}

async function faultsOf(
  all: readonly Malformed[],
  port: number,
  way: Way,
  { quietMs: quiet, patienceMs }: Patience,
): Promise<string[]> {
  const faults: string[] = [];
  for (let i = 0; i < all.length; i += ofOneWall) {
    const some = all.slice(i, i + ofOneWall);
    const conversations = await Promise.all(
      some.map(({ steps, swallows }) =>
        converse(port, [...steps, { untilQuietMs: quiet }, nextRequest], swallows ? patienceMs || quiet : hangsAfterMs),
      ),
    );
    for (const [at, conversation] of conversations.entries()) {
      const fault = faultOf(some[at]!, conversation, { way, waited: patienceMs > 0 });
      if (fault) faults.push(`${some[at]!.name}: ${fault}`);
    }
  }
  return faults;
}

/** As many requests as the server accepts at once get their responses in order; far too many end the connection. */
async function pipelining(port: number, { some, many }: { some: number; many: number }): Promise<Figure> {
  const ask = (times: number): Promise<Conversation> =>
    converse(port, ['GET /healthz HTTP/1.1\r\nHost: wall\r\n\r\n'.repeat(times - 1), nextRequest], hangsAfterMs);
  const right = (conversation: Conversation): number =>
    conversation.responses.filter(({ body }) => body === '{"status":"ok"}').length +
    Number(nextSucceeded(conversation));
  const [few, flood] = [await ask(some), await ask(many)];
  return {
    what: `${some} requests at once on one connection, and ${count(many)}`,
    measured: `${right(few)} responses, and ${flood.ended && flood.responses.length < many ? 'the end' : 'all of them'}`,
    target: `${some} responses, and the end`,
    ok:
      right(few) === some &&
      few.responses.length === some &&
      flood.ended &&
      flood.responses.length < many &&
      right(flood) === flood.responses.length,
    detail: `${flood.responses.length} responses before the end`,
  };
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
