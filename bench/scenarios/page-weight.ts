import { kilobytes } from '../format.ts';
import { httpGet } from '../http-get.ts';
import type { Scenario } from '../scenario.ts';
import { brotliDecompressSync } from 'node:zlib';

const posts = 100_000;
const under = 84e3;

/** Everything a browser loads to show the feed, in bytes on the wire. */
export const pageWeight: Scenario = {
  name: 'page-weight',
  async measure({ servers }) {
    const { port } = await servers.app(posts);
    const html = await fetchCompressed(port, '/');
    const styles = await weigh(port, hrefs(html.text, /<link rel="stylesheet" href="([^"]+)"/g));
    const scripts = await weigh(port, [
      ...hrefs(html.text, /<script[^>]* src="([^"]+)"/g),
      ...hrefs(html.text, /<link rel="modulepreload"[^>]* href="([^"]+)"/g),
    ]);
    return [
      {
        what: 'JavaScript to read the feed, compressed as served',
        measured: kilobytes(scripts.bytes),
        target: `< ${kilobytes(under)}`,
        ok: scripts.bytes < under,
        detail: `${scripts.files} files; HTML ${kilobytes(html.bytes)}, CSS ${kilobytes(styles.bytes)}`,
      },
    ];
  },
};

/** These files and all that they import at once. */
async function weigh(port: number, paths: string[]): Promise<{ files: number; bytes: number }> {
  const seen = new Set(paths);
  let total = 0;
  // A set may grow while it is walked.
  for (const path of seen) {
    const { text, bytes } = await fetchCompressed(port, path);
    total += bytes;
    if (!path.endsWith('.js')) continue;
    for (const found of hrefs(text, /\b(?:import|from)\s*["'](\.[^"']+)["']/g)) {
      seen.add(new URL(found, `http://localhost${path}`).pathname);
    }
  }
  return { files: seen.size, bytes: total };
}

async function fetchCompressed(port: number, path: string): Promise<{ text: string; bytes: number }> {
  const { headers, body } = await httpGet(port, path, { 'accept-encoding': 'gzip, deflate, br' });
  const plain = headers['content-encoding'] === 'br' ? brotliDecompressSync(body) : body;
  return { text: plain.toString(), bytes: body.length };
}

const hrefs = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1]!);
