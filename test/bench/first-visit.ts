import { type Browser, chromium } from '@playwright/test';
import { kilobytes, median, milliseconds } from '../measurements/numbers.ts';
import { below } from '../measurements/report.ts';
import { rounds, type Scenario } from './rounds.ts';

const posts = 100_000;
const bytesUnder = 95e3;

/** The scripts that a browser loads to read the feed, in bytes as transferred. */
export const pageWeight: Scenario = {
  name: 'page-weight',
  async measure({ servers }) {
    const { address } = await servers.demo(posts);
    const html = await fetchCompressed(`${address}/`);
    const weighAll = (...patterns: RegExp[]) =>
      weigh(
        address,
        patterns.flatMap((pattern) => matches(html.text, pattern)),
      );
    const scripts = await weighAll(/<script[^>]* src="([^"]+)"/g, /<link rel="modulepreload"[^>]* href="([^"]+)"/g);
    return [
      below(
        'JavaScript to read the feed, compressed as served',
        scripts.bytes,
        bytesUnder,
        `${scripts.files} files; HTML with its styles ${kilobytes(html.bytes)}`,
        kilobytes,
      ),
    ];
  },
};

/** These files and all that they import statically. */
async function weigh(address: string, paths: string[]): Promise<{ files: number; bytes: number }> {
  const seen = new Set(paths);
  let total = 0;
  // A set may grow while it is iterated.
  for (const path of seen) {
    const { text, bytes } = await fetchCompressed(address + path);
    total += bytes;
    if (!path.endsWith('.js')) continue;
    for (const found of matches(text, /\b(?:import|from)\s*["'](\.[^"']+)["']/g)) {
      seen.add(new URL(found, address + path).pathname);
    }
  }
  return { files: seen.size, bytes: total };
}

/** The text, and its size before fetch decompressed it. */
async function fetchCompressed(url: string): Promise<{ text: string; bytes: number }> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'gzip, deflate, br' } });
  if (response.status !== 200) throw new Error(`GET ${url} returned ${response.status}`);
  return { text: await response.text(), bytes: Number(response.headers.get('content-length')) };
}

const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1]!);

const latencyMs = 2_000;
const kilobitsPerSecond = 400;
const underMs = 2_600;

/**
 * The first visit of a phone on a bad network. Chromium delays the response to each request by the latency; connecting
 * costs nothing, unlike on a real network, where TCP and TLS take two more round trips.
 */
export const firstPaint: Scenario = {
  name: 'first-paint',
  async measure({ servers }) {
    const { address } = await servers.demo(posts);
    const executablePath = process.env['CHROMIUM'];
    const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] });
    const paints: Paint[] = [];
    for (let round = 0; round < rounds; round += 1) paints.push(await paint(browser, address));
    await browser.close();
    const of = (name: keyof Paint): number => median(paints.map((one) => one[name]));
    return [
      below(
        `first paint of the feed at ${latencyMs} ms latency and ${kilobitsPerSecond} kbit/s`,
        of('paintMs'),
        underMs,
        `median of ${rounds} first visits; the ${kilobytes(of('bytes'))} of the HTML are complete after ${milliseconds(of('lastByteMs'))}`,
      ),
    ];
  },
};

interface Paint {
  paintMs: number;
  lastByteMs: number;
  bytes: number;
}

async function paint(browser: Browser, address: string): Promise<Paint> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const bytesPerSecond = (kilobitsPerSecond * 1_000) / 8;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await page.goto(address);
  const result = await page.evaluate(() => {
    const [document] = performance.getEntriesByType('navigation') as [PerformanceNavigationTiming];
    const [first] = performance.getEntriesByName('first-contentful-paint');
    return {
      paintMs: first!.startTime,
      lastByteMs: document.responseEnd,
      bytes: document.encodedBodySize,
    };
  });
  await context.close();
  return result;
}
