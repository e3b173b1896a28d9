import { setTimeout as pause } from 'node:timers/promises';
import type { Metric } from './metric.ts';
import { toText } from './text-format.ts';

/** Reads what one part of the wall has to tell. */
export type Source = () => readonly Metric[] | Promise<readonly Metric[]>;

/** Well within the 10 s that Prometheus waits. */
const patienceMs = 2_000;

/** Asks everything that is measured how it stands, when somebody wants to know. */
export class Registry {
  #sources: Source[] = [];

  add(source: Source): void {
    this.#sources.push(source);
  }

  /** A source that fails or takes long is left out: the others matter most when something is out of reach. */
  async text(): Promise<string> {
    const answers = await Promise.allSettled(this.#sources.map(ask));
    return toText(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])));
  }
}

async function ask(source: Source): Promise<readonly Metric[]> {
  return Promise.race([source(), pause(patienceMs, [], { ref: false })]);
}
