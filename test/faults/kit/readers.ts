import { Agent } from 'node:http';
import { ask } from '../../kit/ask.ts';
import { Loops } from './loops.ts';
import { Responses } from './responses.ts';

const pauseMs = 10;
const maxWrong = 5;

/** A text of each response that no other response contains, so that a response to another request is noticed. */
const expectedTexts: Record<string, string> = {
  '/healthz': '"status":"ok"',
  '/api/v1/posts': '"posts"',
  '/api/v1/reports/reasons': '"reasons"',
  '/robots.txt': 'Sitemap',
  '/api/v1/posts/nothing': '"NOT_FOUND"',
};

/** Readers of one path each, who repeat their request until they are stopped. */
export class Readers {
  readonly responses = new Responses();
  readonly tookMs: number[] = [];
  /** The first responses without the text expected for their path, in words. */
  readonly wrong: string[] = [];
  #address: string;
  #agent = new Agent({ keepAlive: true });
  #loops: Loops;

  constructor(address: string, paths: readonly string[] = Object.keys(expectedTexts)) {
    this.#address = address;
    this.#loops = new Loops(
      paths.map((path) => () => this.#read(path)),
      pauseMs,
    );
  }

  get slowestMs(): number {
    return this.tookMs.reduce((slowest, ms) => Math.max(slowest, ms), 0);
  }

  async stop(): Promise<void> {
    await this.#loops.stop();
    this.#agent.destroy();
  }

  async #read(path: string): Promise<void> {
    const began = performance.now();
    const { outcome, body } = await ask(`${this.#address}${path}`, { agent: this.#agent });
    this.tookMs.push(performance.now() - began);
    this.responses.add(outcome);
    const expected = expectedTexts[path] ?? '';
    if (!body.includes(expected) && this.wrong.length < maxWrong)
      this.wrong.push(`${path} returned ${outcome}: ${body.slice(0, 200)}`);
  }
}
