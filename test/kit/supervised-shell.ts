import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { User } from './postgres-binaries.ts';

/**
 * Runs its input line by line. The input ends when the test process exits, even by SIGKILL; the shell then runs `$1`
 * and removes the current folder. It leads its own process group, so that Ctrl+C does not reach it first.
 */
const loop = `
  trap '' HUP INT QUIT TERM
  while read -r line; do
    eval "$line" >>log 2>&1 </dev/null
    echo "ended $?"
  done
  eval "$1" >>log 2>&1
  rm -rf "$PWD"
`;

/** A shell in its own folder with a clean-up script: nothing that it starts outlives this process. */
export class SupervisedShell {
  readonly folder: string;
  #child: ChildProcessWithoutNullStreams;
  #results: Interface;

  constructor(name: string, { cleanUp, user }: { cleanUp: string; user?: User | undefined }) {
    this.folder = mkdtempSync(join(realpathSync(tmpdir()), `stena-${name}-`));
    if (user) chownSync(this.folder, user.uid, user.gid);
    this.#child = spawn('sh', ['-c', loop, 'sh', cleanUp], {
      ...user,
      cwd: this.folder,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#results = createInterface(this.#child.stdout);
    // An idle shell must not keep this process alive.
    const { stdin, stdout, stderr } = this.#child;
    for (const pipe of [stdin, stdout, stderr]) (pipe as Socket).unref();
    this.#child.unref();
  }

  /** Runs one line. Only one may run at a time. */
  async run(line: string): Promise<void> {
    this.#child.ref();
    const result = new Promise<string>((resolve) => this.#results.once('line', resolve));
    this.#child.stdin.write(`${line}\n`);
    const status = await result;
    this.#child.unref();
    if (status !== 'ended 0') throw new Error(`${line}\n${readFileSync(join(this.folder, 'log'), 'utf8')}`);
  }

  async end(): Promise<void> {
    this.#child.ref();
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin.end();
    await ended;
  }
}
