import { kilobytes } from '../measurements/numbers.ts';
import { below } from '../measurements/report.ts';
import type { Scenario } from './scenario.ts';

const posts = 100_000;
const under = 95e3;

/** Everything that a browser loads to show the feed, in bytes as transferred. */
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
        under,
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
