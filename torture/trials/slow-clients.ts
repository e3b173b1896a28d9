import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { count, megabytes, milliseconds } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import { ServerProcess } from '../../bench/servers/server-process.ts';
import { freshPlace } from '../../test/engines.ts';
import { ReadersMeanwhile, type ReadersTold } from '../kit/readers-meanwhile.ts';
import { slowBody, SlowClients, slowHeaders, slowReading } from '../kit/slow-clients.ts';
import type { Extent, Trial } from '../trial.ts';

const clients = { short: 300, whole: 600 };
/** Each fills megabytes of the system's own buffers, of which all connections of a machine share so many. */
const deafClients = { short: 50, whole: 200 };
const sentWithinMs = 18_000;
/** A reader may stand still for a minute. */
const takenWithinMs = 90_000;
const goOnEveryMs = 500;
const slowestUnderMs = { short: 1_000, whole: 100 };
/** Of the requests: the first pay for their connection and for this process, and a busy machine disturbs some more. */
const disturbed = 1 / 1_000;
/** A second siege may not need more than the first has left. */
const sieges = 2;
const growsAtMost = 0.1;

/** Hundreds who send or take a byte now and then: they are let go, and nobody else notices them. */
export const slowClients: Trial = {
  name: 'slow-clients',
  async run(extent) {
    const { place, remove } = await freshPlace('sqlite');
    const server = await ServerProcess.start('server/main.ts', {
      env: {
        HOST: '127.0.0.1',
        PORT: '0',
        DATA_DIR: place.dataDir,
        READS_PER_MINUTE: '1000000',
        // Slow clients from many addresses.
        CONNECTIONS_PER_IP: '1000000',
        LOG_LEVEL: 'error',
      },
    });
    const readers = new ReadersMeanwhile(`http://127.0.0.1:${server.port}`);
    try {
      const sending = await slowSending(server.port, extent);
      // Short of a minute there is only to see that nobody minds them.
      const taking = extent === 'whole' ? await slowTaking(server, deafClients.whole) : [];
      return [...sending, ...taking, served(await readers.stop(), slowestUnderMs[extent])];
    } finally {
      await readers.stop();
      await server.stop();
      await remove();
    }
  },
};

/** All three kinds at once; those who take their time in taking stay. */
async function slowSending(port: number, extent: Extent): Promise<Figure[]> {
  const many = clients[extent];
  const deaf = await SlowClients.connect(port, slowReading(largeFile()), deafClients[extent]);
  const senders = {
    'slow headers': await SlowClients.connect(port, slowHeaders, many),
    'slow bodies': await SlowClients.connect(port, slowBody, many),
  };
  const all = [deaf, ...Object.values(senders)];
  try {
    const began = performance.now();
    const passed = (): number => performance.now() - began;
    const open = async () => (await Promise.all(Object.values(senders).map((some) => some.open()))).some((n) => n > 0);
    while (passed() < sentWithinMs && (await open())) await goOn(all);
    const tookMs = passed();
    return await Promise.all(
      Object.entries(senders).map(async ([what, some]) =>
        gone(`${many} × ${what}`, await some.open(), tookMs, sentWithinMs),
      ),
    );
  } finally {
    for (const some of all) some.leave();
  }
}

async function slowTaking(server: ServerProcess, many: number): Promise<Figure[]> {
  const memory: number[] = [];
  let open = 0;
  for (let i = 0; i < sieges; i += 1) {
    const deaf = await SlowClients.connect(server.port, slowReading(largeFile()), many);
    try {
      for (const end = performance.now() + takenWithinMs; performance.now() < end;) await goOn([deaf]);
      open = Math.max(open, await deaf.open());
    } finally {
      deaf.leave();
    }
    memory.push((await server.usage()).memoryBytes);
  }
  const [first, second] = memory as [number, number];
  const growth = second / first - 1;
  return [
    gone(`${many} × slow reading`, open, takenWithinMs, takenWithinMs),
    {
      what: 'memory after a second siege by slow readers',
      measured: `${growth < 0 ? '' : '+'}${Math.round(growth * 100)} %`,
      target: `≤ +${growsAtMost * 100} %`,
      ok: growth <= growsAtMost,
      detail: `${megabytes(first)} after the first, ${megabytes(second)} after the second`,
    },
  ];
}

async function goOn(all: readonly SlowClients[]): Promise<void> {
  for (const some of all) some.goOn();
  await sleep(goOnEveryMs);
}

const gone = (what: string, open: number, tookMs: number, withinMs: number): Figure => ({
  what,
  measured: `${open} open after ${Math.round(tookMs / 1_000)} s`,
  target: `0 after ${withinMs / 1_000} s`,
  ok: open === 0,
  detail: 'connections of their own',
});

function served({ asked, wrong, slowestMs }: ReadersTold, underMs: number): Figure {
  for (const fault of wrong) console.error(fault);
  const slowest = slowestMs[Math.ceil(asked * disturbed)] ?? Infinity;
  return {
    what: 'ordinary readers beside slow clients',
    measured: milliseconds(slowest),
    target: `< ${milliseconds(underMs)}`,
    ok: wrong.length === 0 && slowest < underMs,
    detail: `${count(asked)} requests, ${wrong.length} not answered; the slowest but one in a thousand; the very slowest ${milliseconds(slowestMs[0] ?? 0)}`,
  };
}

/** The largest of the built web: nothing that anybody may ask for is larger. */
function largeFile(): string {
  const folder = fileURLToPath(new URL('../../dist/web/assets', import.meta.url));
  return `/assets/${readdirSync(folder).find((name) => /^main-.*\.js$/.test(name))!}`;
}
