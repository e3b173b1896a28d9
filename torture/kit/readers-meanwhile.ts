import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = 10;
const told = 5;

/** What each is answered is like no other's: an answer that was meant for somebody else is noticed. */
const questions: Record<string, string> = {
  '/healthz': '"status":"ok"',
  '/api/v1/posts': '"posts"',
  '/api/v1/reports/reasons': '"reasons"',
  '/robots.txt': 'Sitemap',
  '/api/v1/posts/nothing': '"NOT_FOUND"',
};

export interface ReadersTold {
  asked: number;
  /** Answers that were not theirs, and requests without one. */
  wrong: string[];
  /** How long the slowest took, the next, and so on. */
  slowestMs: number[];
}

/** Ordinary readers, one after the other, while something else goes on. */
export class ReadersMeanwhile {
  #address: string;
  #stopping = false;
  #told: ReadersTold = { asked: 0, wrong: [], slowestMs: [] };
  #all: Promise<void>;

  constructor(address: string) {
    this.#address = address;
    this.#all = this.#ask();
  }

  async stop(): Promise<ReadersTold> {
    this.#stopping = true;
    await this.#all;
    const { asked, wrong, slowestMs } = this.#told;
    return { asked, wrong: wrong.slice(0, told), slowestMs: slowestMs.toSorted((a, b) => b - a) };
  }

  async #ask(): Promise<void> {
    while (!this.#stopping) {
      for (const [path, expected] of Object.entries(questions)) {
        const began = performance.now();
        const body = await fetch(this.#address + path).then(
          (response) => response.text(),
          (error: unknown) => `nothing: ${String(error)}`,
        );
        this.#told.asked += 1;
        this.#told.slowestMs.push(performance.now() - began);
        if (!body.includes(expected)) this.#told.wrong.push(`${path} was answered ${body.slice(0, 200)}`);
      }
      await sleep(pauseMs);
    }
  }
}
