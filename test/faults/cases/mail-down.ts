import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { milliseconds, percentile } from '../../measurements/numbers.ts';
import { type Figure, none } from '../../measurements/report.ts';
import { device, newAddress } from '../../kit/sign-in.ts';
import { type Engine, freshStorage } from '../../kit/engines.ts';
import { freePort } from '../../kit/free-port.ts';
import { startServer } from '../../kit/server-process.ts';
import { type MailServer, startMailServer } from '../../kit/smtp.ts';
import type { Outcome } from '../../kit/ask.ts';
import { Loops, post, Responses } from '../kit/load.ts';
import { type Extent, type Fault, holds, limitOf, onEachEngine, until, within } from '../fault.ts';

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
  const figures: Figure[] = [];
  for (const trouble of kinds) {
    const endTrouble = await startTroubledMailServer(port, trouble);
    const promised: string[] = [];
    const responses = new Responses();
    const tookMs: number[] = [];
    /** Requests a code to register. Each of several queues does this again and again. */
    const request = async (): Promise<void> => {
      const email = newAddress();
      const began = performance.now();
      const outcome = await requestCode(address, email);
      tookMs.push(performance.now() - began);
      responses.add(outcome);
      if (outcome === 201) promised.push(email);
    };
    const loops = new Loops(Array<typeof request>(queues).fill(request), pauseMs);
    await sleep(troubleMs[extent]);
    await loops.stop();
    await endTrouble();
    await using mail = await startMailServer(port);
    const what = `requests of codes, mail server ${trouble}, ${engine}: p99`;
    figures.push(
      within(extent, what, percentile(tookMs, 0.99), respondsWithinMs, responses.toString(), responses.areOnly(201)),
      await arrived('codes after that', mail, promised, limitOf(extent, arrivesWithinMs), promised.length > 0),
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
  const isKilledInTime = mail.received.length < promised.length;
  await restart();
  return arrived(`kill -9 while sending, ${engine}`, mail, promised, leaseMs + arrivesWithinMs, isKilledInTime);
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

async function requestCode(address: string, email: string): Promise<Outcome> {
  const body = { email, clientToken: 'faults', device };
  return (await post(`${address}/api/v1/registrations`, { body })).outcome;
}

/** A server that expects a mail server at a port where none is running yet; `restart` starts another on its data. */
async function wallWithMail(cleanup: AsyncDisposableStack, engine: Engine, other: NodeJS.ProcessEnv = {}) {
  const { storage } = cleanup.use(await freshStorage(engine));
  const port = await freePort();
  const restart = async () => {
    const server = await startServer(storage, { ...settings, SMTP_URL: `smtp://127.0.0.1:${port}`, ...other });
    cleanup.defer(() => server.stop('SIGKILL'));
    return server;
  };
  const server = await restart();
  return { address: server.address, port, server, restart };
}

/** Waits for a mail to each recipient. */
async function arrived(
  what: string,
  mail: MailServer,
  recipients: readonly string[],
  withinMs: number,
  enough: boolean,
): Promise<Figure> {
  const missing = (): number => {
    const reached = new Set(mail.received.flatMap(({ to }) => to));
    return recipients.filter((email) => !reached.has(email)).length;
  };
  const ms = await until(() => missing() === 0, { withinMs, everyMs: 20 });
  const measured = `${missing()} missing, the last after ${milliseconds(Math.min(ms, withinMs))}`;
  const twice = mail.received.length - (recipients.length - missing());
  const detail = `${recipients.length} promised; ${twice} arrived more than once`;
  return holds(what, enough && missing() === 0, measured, `0, < ${milliseconds(withinMs)}`, detail);
}

/** In this order: the mail server is not running, accepts connections and sends nothing, replies 451, or closes connections in the middle of a mail. */
const troubles = ['away', 'silent', 'busy', 'breaking off'] as const;
type Trouble = (typeof troubles)[number];

const accepting: Record<string, string> = {
  EHLO: '250 troubled',
  MAIL: '250 go on',
  RCPT: '250 go on',
  DATA: '354 go on',
  RSET: '250 done',
  QUIT: '221 bye',
};

const replies: Record<Exclude<Trouble, 'away' | 'silent'>, Record<string, string>> = {
  busy: { ...accepting, RCPT: '451 later' },
  'breaking off': accepting,
};

/** Resolves to a function that ends the trouble. */
async function startTroubledMailServer(port: number, trouble: Trouble): Promise<() => Promise<void>> {
  if (trouble === 'away') return async () => {};
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    if (trouble !== 'silent') converse(socket, replies[trouble]);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    server.close();
    // Open connections stay silent, so that their clients have to give up by themselves.
    if (trouble === 'silent') return;
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
}

function converse(socket: Socket, replyTo: Record<string, string>): void {
  let isMail = false;
  socket.write('220 troubled\r\n');
  socket.on('data', (chunk: Buffer) => {
    // The connection breaks at the first bytes of the mail.
    if (isMail) return socket.destroy();
    const command = chunk.toString().slice(0, 4).toUpperCase();
    socket.write(`${replyTo[command] ?? '502 what'}\r\n`);
    isMail = command === 'DATA';
  });
}
