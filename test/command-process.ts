import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Place } from './engines.ts';

const server = new URL('../server/', import.meta.url);

export interface CommandRun {
  code: number | null;
  output: string;
  errors: string;
}

/** A command as people run it, in a process of its own; `file` is its main file under server/. */
export async function runCommand(
  file: string,
  { databaseUrl, dataDir }: Place,
  args: readonly string[],
  settings: NodeJS.ProcessEnv = {},
): Promise<CommandRun> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, server)), ...args], {
    env: {
      DATA_DIR: dataDir,
      TZ: 'UTC',
      ...(databaseUrl && { DATABASE_URL: databaseUrl, SECRET: 'one secret for all the processes of a test' }),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, output, errors };
}
