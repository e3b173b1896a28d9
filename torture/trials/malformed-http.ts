import { count, milliseconds } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import { openDatabase } from '../../server/db/open-database.ts';
import { createUser } from '../../server/account/store.ts';
import { freshPlace } from '../../test/engines.ts';
import { startServer } from '../../test/server-process.ts';
import { lacksNginx, type Nginx, startNginx } from '../kit/nginx.ts';
import { converse, type Conversation } from '../kit/raw-http.ts';
import { unlawfulLogLines } from '../kit/log-lines.ts';
import { ReadersMeanwhile } from '../kit/readers-meanwhile.ts';
import { damaged } from '../malformed/damaged.ts';
import { faultOf, follower, isFollowed, type Way } from '../malformed/faults.ts';
import { badLengths } from '../malformed/lengths-and-chunks.ts';
import { badLines } from '../malformed/lines.ts';
import { canary, type Malformed } from '../malformed/malformed.ts';
import { badEnds } from '../malformed/sizes-and-ends.ts';
import type { Extent, Trial } from '../trial.ts';

const quietMs = { short: 300, whole: 700 };
/** Time for what is never finished to be given up. */
const givenUpAfterMs = { short: 0, whole: 18_000 };
const together = 128;
/** Times the quiet: a busy machine takes a while. */
const followedWithin = 6;
const known: readonly Malformed[] = [...badLengths, ...badLines, ...badEnds];
const damagedRequests = { short: 200, whole: 5_000 };
const pipelinePatienceMs = 5_000;
const pipelined = { some: 30, many: 10_000 };
/** What is no HTTP, or two things at once: one answer to each request, none to a hidden one, and everybody else is served. */
export const malformedHttp: Trial = {
  name: 'malformed-http',
  async run(extent) {
    const { place, remove } = await freshPlace('sqlite');
    const db = await openDatabase(place, () => {});
    await db.tx((tx) => createUser(tx, { username: canary, email: 'canary@example.org', now: 1 }));
    await db.close();
    const server = await startServer(place, { LOG_LEVEL: 'trace', TRUST_PROXY: '127.0.0.1' });
    const figures: Figure[] = [];
    let nginx: Nginx | undefined;
    try {
      if (extent === 'whole' && !(await lacksNginx())) nginx = await startNginx([server.address]);
      const port = Number(new URL(server.address).port);
      figures.push(await attacked('directly', port, extent), await pipelining(port, pipelined));
      if (nginx) figures.push(await attacked('through nginx', nginx.port, extent));
    } finally {
      await nginx?.stop();
      await server.stop();
      await remove();
    }
    return [...figures, await logged(server.logs)];
  },
};

async function attacked(way: Way, port: number, extent: Extent): Promise<Figure> {
  const readers = new ReadersMeanwhile(`http://127.0.0.1:${port}`);
  const random = damaged(damagedRequests[extent]);
  const patient = { quietMs: quietMs[extent], patienceMs: givenUpAfterMs[extent] };
  const hasty = { quietMs: quietMs.short, patienceMs: 0 };
  const faults = [...(await faultsOf(known, port, way, patient)), ...(await faultsOf(random, port, way, hasty))];
  const { asked, wrong, slowestMs } = await readers.stop();
  for (const fault of [...faults, ...wrong]) console.error(`${way}: ${fault}`);
  return {
    what: `malformed HTTP, ${known.length} kinds and ${count(random.length)} at random, ${way}`,
    measured: `${faults.length} faults, ${wrong.length} readers wronged`,
    target: '0 and 0',
    ok: faults.length + wrong.length === 0 && asked > 0,
    detail: `${count(asked)} ordinary requests meanwhile, the slowest ${milliseconds(slowestMs[0] ?? 0)}`,
  };
}

interface Patience {
  /** Who says no more for so long is asked something else. */
  quietMs: number;
  /** So long may be waited for what is never finished; 0: not at all. */
  patienceMs: number;
}

async function faultsOf(
  all: readonly Malformed[],
  port: number,
  way: Way,
  { quietMs: quiet, patienceMs }: Patience,
): Promise<string[]> {
  const faults: string[] = [];
  for (let i = 0; i < all.length; i += together) {
    const some = all.slice(i, i + together);
    const heard = await Promise.all(
      some.map(({ lines, swallows }) =>
        converse(
          port,
          [...lines, { untilQuietMs: quiet }, follower],
          (swallows && patienceMs) || followedWithin * quiet,
        ),
      ),
    );
    for (const [at, conversation] of heard.entries()) {
      const fault = faultOf(some[at]!, conversation, { way, waited: patienceMs > 0 });
      if (fault) faults.push(`${some[at]!.name}: ${fault}`);
    }
  }
  return faults;
}

/** As many as are taken at once get their answers in order; with far too many the connection ends. */
async function pipelining(port: number, { some, many }: { some: number; many: number }): Promise<Figure> {
  const ask = (times: number): Promise<Conversation> =>
    converse(port, ['GET /healthz HTTP/1.1\r\nHost: wall\r\n\r\n'.repeat(times - 1), follower], pipelinePatienceMs);
  const right = (conversation: Conversation): number =>
    conversation.answers.filter(({ body }) => body === '{"status":"ok"}').length + Number(isFollowed(conversation));
  const [few, flood] = [await ask(some), await ask(many)];
  return {
    what: `${some} requests at once on one connection, and ${count(many)}`,
    measured: `${right(few)} answers, and ${flood.ended && flood.answers.length < many ? 'the end' : 'all of them'}`,
    target: `${some} answers, and the end`,
    ok:
      right(few) === some &&
      few.answers.length === some &&
      flood.ended &&
      flood.answers.length < many &&
      right(flood) === flood.answers.length,
    detail: `${flood.answers.length} answers before the end`,
  };
}

async function logged(logs: Promise<string>): Promise<Figure> {
  const lines = (await logs).trim().split('\n');
  const unlawful = unlawfulLogLines(lines);
  for (const line of unlawful) console.error(line);
  return {
    what: 'log lines of all this',
    measured: `${unlawful.length} bad`,
    target: '0',
    ok: unlawful.length === 0,
    detail: `of ${lines.length}: JSON, none forged, no failed request`,
  };
}
