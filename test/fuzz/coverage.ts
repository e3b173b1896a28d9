import type { Session } from 'node:inspector/promises';
import { root } from '../kit/node-process.ts';

/** The wall's code, and the library that parses what people write. */
const isFuzzed = (url: string): boolean =>
  url.startsWith(`file://${root}`) && !/\/test\/|\/node_modules\/(?!markdown-it\/)/.test(url);

/** The branches of the wall's code that have run, as V8 counts them. */
export class Coverage {
  #session: Session;
  /** Replaced by each addition. */
  reached: ReadonlySet<string> = new Set();

  private constructor(session: Session) {
    this.#session = session;
  }

  static async start(session: Session): Promise<Coverage> {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    return new Coverage(session);
  }

  /** The number of branches that have run since the last call and never before it. */
  async added(): Promise<number> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const ran = result
      .filter(({ url }) => isFuzzed(url))
      .flatMap(({ scriptId, functions }) =>
        functions.flatMap(({ ranges }) =>
          ranges
            .filter(({ count }) => count > 0)
            .map(({ startOffset, endOffset }) => `${scriptId} ${startOffset} ${endOffset}`),
        ),
      );
    const before = this.reached;
    this.reached = before.union(new Set(ran));
    return this.reached.size - before.size;
  }
}
