import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { spawnNode } from './spawn-node.ts';
import type { Usage } from './usage.ts';

/** A server in a process of its own, listening on a port of its own choice. */
export class ServerProcess {
  readonly port: number;
  #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  /** Starts a file that prints its address, and gives it `input` on standard input. */
  static async start(file: string, { env = {}, input = '' }: { env?: NodeJS.ProcessEnv; input?: string }) {
    const child = spawnNode([file], { env, stdio: ['pipe', 'pipe', 'inherit', 'ipc'] });
    child.stdin!.end(input);
    for await (const line of createInterface({ input: child.stdout! })) {
      const port = /:(\d+)$/.exec(line)?.[1];
      if (port) return new ServerProcess(child, Number(port));
    }
    throw new Error(`${file} ended before it listened`);
  }

  async usage(): Promise<Usage> {
    this.#child.send('usage?');
    const [usage] = (await once(this.#child, 'message')) as [Usage];
    return usage;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }
}
