import { setTimeout as sleep } from 'node:timers/promises';
import { milliseconds, percentile } from '../../measurements/numbers.ts';
import { type Figure, none } from '../../measurements/report.ts';
import { device, newAddress } from '../../kit/sign-in.ts';
import { type Engine, freshPlace } from '../../kit/engines.ts';
import { freePort } from '../../kit/free-port.ts';
import { startServer } from '../../kit/server-process.ts';
import { type MailServer, startMailServer } from '../../kit/smtp.ts';
import { type Outcome, ask } from '../../kit/ask.ts';
import { Loops } from '../kit/loops.ts';
import { Responses } from '../kit/responses.ts';
import { startTroubledMailServer, type Trouble, troubles } from '../kit/troubled-mail-server.ts';
import { type Extent, type Fault, limitOf, onEachEngine } from '../fault.ts';

const queues = 3;
const pauseMs = 100;
const troubleMs = { short: 1_500, whole: 8_000 };
const respondsWithinMs = 200;
/** A mail is tried again after 5 s and then after 15 s more. */
const arrivesWithinMs = 20_000;
/** A mail that a killed process was sending is sent again when its lease has expired. */
const leaseMs = 15_000;
const expiredAfterMs = 3_000;
/** A process checks for mails every second. */
const checksWithinMs = 2_500;
const settings = { RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' };

/** The mail server is in trouble while people request codes: responses stay fast, and the codes arrive afterwards. */
export const mailDown: Fault = {
  name: 'mail-down',
  async run(extent) {
    if (extent === 'short') {
      const short = await Promise.all([inTrouble('sqlite', ['silent'], extent), tooLate('sqlite')]);
      return short.flat();
    }
    return onEachEngine(async (engine) => [
      ...(await inTrouble(engine, troubles, extent)),
      await killedWhileSending(engine),
      await tooLate(engine),
    ]);
  },
};

async function inTrouble(engine: Engine, kinds: readonly Trouble[], extent: Extent): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const { address, port } = await wallWithMail(cleanup, engine);
  const underMs = limitOf(extent, respondsWithinMs);
  const atMostMs = limitOf(extent, arrivesWithinMs);
  const figures: Figure[] = [];
  for (const trouble of kinds) {
    const endTrouble = await startTroubledMailServer(port, trouble);
    const { promised, responses, tookMs } = await requestCodes(address, troubleMs[extent]);
    await endTrouble();
    const mail = await startMailServer(port);
    const { slowestMs, missing, twice } = await arrival(mail, promised, atMostMs);
    await mail.close();
    const p99 = percentile(tookMs, 0.99);
    figures.push(
      {
        what: `requests of codes, mail server ${trouble}, ${engine}`,
        measured: `p99 ${milliseconds(p99)}`,
        target: `< ${milliseconds(underMs)}, all 201`,
        ok: p99 < underMs && responses.areOnly(201),
        detail: responses.toString(),
      },
      {
        what: 'codes after that',
        measured: `${missing} missing, the last after ${milliseconds(slowestMs)}`,
        target: `0, < ${milliseconds(atMostMs)}`,
        ok: missing === 0 && promised.length > 0,
        detail: `${promised.length} promised; ${twice} arrived more than once`,
      },
    );
  }
  return figures;
}

/** A process that is killed while sending loses no mail; the next one may send some of them twice. */
async function killedWhileSending(engine: Engine): Promise<Figure> {
  await using cleanup = new AsyncDisposableStack();
  const { address, port, server, restart } = await wallWithMail(cleanup, engine);
  const promised = Array.from({ length: 60 }, newAddress);
  for (const email of promised) await requestCode(address, email);
  const mail = cleanup.use(await startMailServer(port));
  while (mail.received.length === 0) await sleep(1);
  await server.stop('SIGKILL');
  const sentBefore = mail.received.length;
  await restart();
  const atMostMs = leaseMs + arrivesWithinMs;
  const { slowestMs, missing, twice } = await arrival(mail, promised, atMostMs);
  return {
    what: `kill -9 while sending, ${engine}`,
    measured: `${missing} missing, the last after ${milliseconds(slowestMs)}`,
    target: `0, < ${milliseconds(atMostMs)}`,
    ok: missing === 0 && sentBefore < promised.length,
    detail: `${sentBefore} of ${promised.length} sent before; ${twice} arrived more than once`,
  };
}

/** A mail whose code has expired is not sent. Here the server was not running in between. */
async function tooLate(engine: Engine): Promise<Figure> {
  await using cleanup = new AsyncDisposableStack();
  const { address, port, server, restart } = await wallWithMail(cleanup, engine, { CODE_TTL_SECONDS: '2' });
  for (let i = 0; i < 20; i += 1) await requestCode(address, newAddress());
  await server.stop('SIGKILL');
  await sleep(expiredAfterMs);
  const mail = cleanup.use(await startMailServer(port));
  await restart();
  await sleep(checksWithinMs);
  const detail = 'of 20, after the server had been killed and started again';
  return none(`mails whose code had expired, ${engine}`, mail.received.length, 'sent', detail);
}

interface Requested {
  /** Addresses to which a code was promised. */
  promised: string[];
  responses: Responses;
  tookMs: number[];
}

/** People request codes to register, one after another in each of several queues. */
async function requestCodes(address: string, duringMs: number): Promise<Requested> {
  const requested: Requested = { promised: [], responses: new Responses(), tookMs: [] };
  const request = async (): Promise<void> => {
    const email = newAddress();
    const began = performance.now();
    const outcome = await requestCode(address, email);
    requested.tookMs.push(performance.now() - began);
    requested.responses.add(outcome);
    if (outcome === 201) requested.promised.push(email);
  };
  const loops = new Loops(Array<typeof request>(queues).fill(request), pauseMs);
  await sleep(duringMs);
  await loops.stop();
  return requested;
}

async function requestCode(address: string, email: string): Promise<Outcome> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email, clientToken: 'faults', device });
  return (await ask(`${address}/api/v1/registrations`, { method: 'POST', headers }, body)).outcome;
}

interface WallWithMail {
  address: string;
  /** Port at which the server expects a mail server. None is running yet. */
  port: number;
  server: Awaited<ReturnType<typeof startServer>>;
  /** Starts a server on the same data after the first has ended. */
  restart(): Promise<void>;
}

async function wallWithMail(
  cleanup: AsyncDisposableStack,
  engine: Engine,
  other: NodeJS.ProcessEnv = {},
): Promise<WallWithMail> {
  const { place } = cleanup.use(await freshPlace(engine));
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

/** Waits for a mail to each recipient. */
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
