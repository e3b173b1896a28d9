import type { CDPSession, Page } from '@playwright/test';

/** Milliseconds that `work` takes on a cheap phone: four times as many as on the machine that the limits were set on. */
const phoneMs = 16.4;

/**
 * The processor time that a page needs, in milliseconds of a cheap phone. Only the main thread counts. The speed of the machine
 * is measured by the same clock right before each measurement, since other work also takes caches and half of a core.
 */
export class PhoneProcessor {
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #blank: Page;
  readonly #blankSession: CDPSession;

  private constructor(page: Page, session: CDPSession, blank: Page, blankSession: CDPSession) {
    this.#page = page;
    this.#session = session;
    this.#blank = blank;
    this.#blankSession = blankSession;
  }

  /** May be called before the page is opened: its own processor time counts from then on. */
  static async of(page: Page): Promise<PhoneProcessor> {
    const blank = await page.context().newPage();
    const phone = new PhoneProcessor(page, await startClock(page), blank, await startClock(blank));
    // The first runs also compile the code.
    await phone.#factor(15);
    await page.bringToFront();
    return phone;
  }

  /** How much slower the phone is than this machine is now. */
  async #factor(runs = 5): Promise<number> {
    let least = Infinity;
    for (let run = 0; run < runs; run += 1) {
      least = Math.min(least, await spent(this.#blankSession, () => this.#blank.evaluate(work)));
    }
    return phoneMs / least;
  }

  /** The time that the page needs while `action` runs. */
  async during(action: () => Promise<unknown>): Promise<number> {
    return (await this.#factor()) * (await spent(this.#session, action));
  }

  /** The longest of the tasks that the page runs meanwhile. */
  async longestTask(action: () => Promise<unknown>): Promise<number> {
    const factor = await this.#factor();
    const browser = this.#page.context().browser()!;
    await browser.startTracing(this.#page, { categories: ['__metadata', 'disabled-by-default-devtools.timeline'] });
    await action();
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
    const pages = new Set(traceEvents.filter(({ args }) => args.name === 'CrRendererMain').map(threadOf));
    const tasks = traceEvents.filter((event) => event.name === 'RunTask' && pages.has(threadOf(event)));
    return (factor * Math.max(...tasks.map(({ tdur = 0 }) => tdur))) / 1_000;
  }
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Processor time, in microseconds. */
  tdur?: number;
  args: { name?: string };
}

const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}:${tid}`;

async function startClock(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return session;
}

async function spent(session: CDPSession, action: () => Promise<unknown>): Promise<number> {
  const before = await taskSeconds(session);
  await action();
  return 1_000 * ((await taskSeconds(session)) - before);
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')!.value;
}

/** Scripting, elements and layout. */
function work(): void {
  const sums = new Map<string, number>();
  for (let i = 0; i < 20_000; i += 1) {
    const key = `k${i % 500}`;
    sums.set(key, (sums.get(key) ?? 0) + JSON.stringify({ key, i }).length);
  }
  const paragraphs = [...sums].slice(0, 200).map(([key, sum]) => {
    const paragraph = document.createElement('p');
    paragraph.className = key;
    paragraph.textContent = `Текст записи ${sum}`;
    return paragraph;
  });
  document.body.replaceChildren(...paragraphs);
  document.body.getBoundingClientRect();
}
