import { setTimeout as sleep } from 'node:timers/promises';
import { milliseconds } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import { percentile } from '../../bench/statistics.ts';
import { newAddress } from '../../test/door.ts';
import { type Engine, engines, freshPlace } from '../../test/engines.ts';
import { freePort } from '../../test/free-port.ts';
import { startServer } from '../../test/server-process.ts';
import { type MailServer, startMailServer } from '../../test/smtp.ts';
import { Applicants, start } from '../kit/applicants.ts';
import { onlyThese, tally } from '../kit/tally.ts';
import { startTroubledMailServer, type Trouble, troubles } from '../kit/troubled-mail-server.ts';
import type { Extent, Trial } from '../trial.ts';

const queues = 3;
const troubleMs = { short: 1_500, whole: 8_000 };
/** `npm test` runs on busier machines than a torture run. */
const answeredWithinMs = { short: 2_000, whole: 200 };
const arrivesWithinMs = { short: 20_000, whole: 10_000 };
/** A mail taken by a process that was killed is taken again when that one's time for it has passed. */
const leaseMs = 15_000;
const expiredAfterMs = 3_000;
/** A process looks for mails every second. */
const looksWithinMs = 2_500;
const settings = { RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' };

/** The mail server is in trouble while people ask for codes: they are answered at once, and get their codes after it. */
export const mailDown: Trial = {
  name: 'mail-down',
  async run(extent) {
    if (extent === 'short') {
      const short = await Promise.all([inTrouble('sqlite', ['silent'], extent), tooLate('sqlite')]);
      return short.flat();
    }
    const figures: Figure[] = [];
    for (const engine of engines) {
      figures.push(
        ...(await inTrouble(engine, troubles, extent)),
        await killedAmidSending(engine),
        await tooLate(engine),
      );
    }
    return figures;
  },
};

async function inTrouble(engine: Engine, kinds: readonly Trouble[], extent: Extent): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const { address, port } = await wallWithMail(cleanup, engine);
  const figures: Figure[] = [];
  for (const trouble of kinds) {
    const endTrouble = await startTroubledMailServer(port, trouble);
    const applicants = new Applicants(address, queues);
    await sleep(troubleMs[extent]);
    await applicants.stop();
    await endTrouble();
    const mail = await startMailServer(port);
    const { slowestMs, missing, twice } = await arrival(mail, applicants.promised, arrivesWithinMs[extent]);
    await mail.close();
    const p99 = percentile(applicants.tookMs, 0.99);
    figures.push(
      {
        what: `asking for a code, mail server ${trouble}, ${engine}`,
        measured: `p99 ${milliseconds(p99)}`,
        target: `< ${milliseconds(answeredWithinMs[extent])}, all 201`,
        ok: p99 < answeredWithinMs[extent] && onlyThese(applicants.answers, [201]),
        detail: tally(applicants.answers),
      },
      {
        what: `codes after that`,
        measured: `${missing} missing, the last after ${milliseconds(slowestMs)}`,
        target: `0, < ${milliseconds(arrivesWithinMs[extent])}`,
        ok: missing === 0 && applicants.promised.length > 0,
        detail: `${applicants.promised.length} promised; ${twice} came more than once`,
      },
    );
  }
  return figures;
}

/** A process that ends amid sending loses no mail; the next one may send some of them twice. */
async function killedAmidSending(engine: Engine): Promise<Figure> {
  await using cleanup = new AsyncDisposableStack();
  const { address, port, server, restart } = await wallWithMail(cleanup, engine);
  const promised = Array.from({ length: 60 }, newAddress);
  for (const email of promised) await start(address, email);
  const mail = await startMailServer(port);
  cleanup.defer(() => mail.close());
  while (mail.received.length === 0) await sleep(1);
  await server.stop('SIGKILL');
  const sentBefore = mail.received.length;
  await restart();
  const atMostMs = leaseMs + arrivesWithinMs.whole;
  const { slowestMs, missing, twice } = await arrival(mail, promised, atMostMs);
  return {
    what: `kill -9 amid sending, ${engine}`,
    measured: `${missing} missing, the last after ${milliseconds(slowestMs)}`,
    target: `0, < ${milliseconds(atMostMs)}`,
    ok: missing === 0 && sentBefore < promised.length,
    detail: `${sentBefore} of ${promised.length} sent before; ${twice} came more than once`,
  };
}

/** A mail is not sent any more when its code is worth nothing: here the server itself was away until then. */
async function tooLate(engine: Engine): Promise<Figure> {
  await using cleanup = new AsyncDisposableStack();
  const { address, port, server, restart } = await wallWithMail(cleanup, engine, { CODE_TTL_SECONDS: '2' });
  for (let i = 0; i < 20; i += 1) await start(address, newAddress());
  await server.stop('SIGKILL');
  await sleep(expiredAfterMs);
  const mail = await startMailServer(port);
  cleanup.defer(() => mail.close());
  await restart();
  await sleep(looksWithinMs);
  return {
    what: `mails whose code had expired, ${engine}`,
    measured: `${mail.received.length} sent`,
    target: '0',
    ok: mail.received.length === 0,
    detail: 'of 20, after the server had been killed and started again',
  };
}

interface WallWithMail {
  address: string;
  /** Where it looks for a mail server; there is none yet. */
  port: number;
  server: Awaited<ReturnType<typeof startServer>>;
  /** On the same data, when that one has ended. */
  restart(): Promise<void>;
}

async function wallWithMail(
  cleanup: AsyncDisposableStack,
  engine: Engine,
  other: NodeJS.ProcessEnv = {},
): Promise<WallWithMail> {
  const { place, remove } = await freshPlace(engine);
  cleanup.defer(remove);
  const port = await freePort();
  const begin = async () => {
    const server = await startServer(place, { ...settings, SMTP_URL: `smtp://127.0.0.1:${port}`, ...other });
    cleanup.defer(() => server.stop('SIGKILL'));
    return server;
  };
  const server = await begin();
  return { address: server.address, port, server, restart: async () => void (await begin()) };
}

interface Arrival {
  slowestMs: number;
  missing: number;
  twice: number;
}

/** Waits for a mail to each, as long as one may wait. */
async function arrival(mail: MailServer, recipients: readonly string[], atMostMs: number): Promise<Arrival> {
  const began = performance.now();
  const missing = (): number => {
    const reached = new Set(mail.received.flatMap(({ to }) => to));
    return recipients.filter((email) => !reached.has(email)).length;
  };
  while (missing() > 0 && performance.now() - began < atMostMs) await sleep(20);
  return {
    slowestMs: performance.now() - began,
    missing: missing(),
    twice: mail.received.length - (recipients.length - missing()),
  };
}
