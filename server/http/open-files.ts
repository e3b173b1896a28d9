import { closeSync, openSync } from 'node:fs';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

const everyMs = 1_000;

/** Whether the process or the machine has reached the maximum number of open files and connections. */
export const isOutOfFiles = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');

export interface OpenFiles {
  /** Unix seconds of the last moment without a free descriptor since the start. */
  outAt: number | null;
}

/**
 * Logs when no more files and connections can be opened, and when they can again. Node does not report this: it accepts new
 * connections and closes them.
 */
export function watchOpenFiles(app: FastifyInstance, log: FastifyBaseLogger, now: () => number): OpenFiles {
  let isOut = false;
  const seen: OpenFiles = { outAt: null };
  const watching = setInterval(() => {
    const reason = refusal();
    if (reason !== undefined && !isOut) log.error({ reason }, 'out of file descriptors: no new connection is served');
    if (reason === undefined && isOut) log.error('there are file descriptors again');
    isOut = reason !== undefined;
    if (isOut) seen.outAt = now();
  }, everyMs).unref();
  app.addHook('onClose', async () => clearInterval(watching));
  return seen;
}

function refusal(): string | undefined {
  try {
    closeSync(openSync('/dev/null', 'r'));
    return undefined;
  } catch (error) {
    // Another error does not show that connections cannot be opened.
    return isOutOfFiles(error) ? (error as Error).message : undefined;
  }
}
