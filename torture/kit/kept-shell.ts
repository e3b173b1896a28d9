import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { User } from '../../test/postgres-binaries.ts';

/**
 * Carries out its input line by line. The input ends when the trial's process does, be it by kill -9; then `$1` is
 * carried out and the current folder taken away. It leads a process group of its own, so no Ctrl+C reaches it first.
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

/** A shell in a folder of its own, and a last will: what it started does not outlive this process. */
export class KeptShell {
  readonly folder: string;
  #child: ChildProcessWithoutNullStreams;
  #answers: Interface;

  constructor(name: string, { will, user }: { will: string; user?: User | undefined }) {
    this.folder = mkdtempSync(join(realpathSync(tmpdir()), `stena-${name}-`));
    if (user) chownSync(this.folder, user.uid, user.gid);
    this.#child = spawn('sh', ['-c', loop, 'sh', will], {
      ...user,
      cwd: this.folder,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#answers = createInterface(this.#child.stdout);
  }

  /** One line, one at a time. */
  async run(line: string): Promise<void> {
    const answer = new Promise<string>((resolve) => this.#answers.once('line', resolve));
    this.#child.stdin.write(`${line}\n`);
    if ((await answer) !== 'ended 0') throw new Error(`${line}\n${readFileSync(join(this.folder, 'log'), 'utf8')}`);
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin.end();
    await ended;
  }
}
