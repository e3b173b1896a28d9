import type { Page } from '@playwright/test';

const bytesPerSecond = 400_000 / 8;

/** A slow mobile network. */
export async function slowNetwork(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}

/** Milliseconds `work` takes on the emulated phone: four times as many as on the machine that the limits were set on. */
const phoneMs = 16.4;

/** The processor of a cheap phone: the same one on every machine that runs the tests. */
export async function slowDown(page: Page): Promise<void> {
  machineMs ??= measureMachine(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: Math.max(1, phoneMs / (await machineMs)) });
}

let machineMs: Promise<number> | undefined;

async function measureMachine(page: Page): Promise<number> {
  const blank = await page.context().newPage();
  const ms = await blank.evaluate(work);
  await blank.close();
  return ms;
}

/** Scripting, elements and layout. Other load can only make it slower, so the fastest run counts. */
function work(): number {
  let least = Infinity;
  for (let run = 0; run < 60; run += 1) {
    const began = performance.now();
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
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

/** Delays scripts with a matching name until the returned promise is resolved. */
export async function delayScripts(page: Page, name: RegExp): Promise<PromiseWithResolvers<void>> {
  const release = Promise.withResolvers<void>();
  await page.route(name, async (route) => {
    await release.promise;
    await route.continue();
  });
  return release;
}
