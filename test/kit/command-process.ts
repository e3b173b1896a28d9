import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { StorageSettings } from './engines.ts';
import { spawnNode } from './node-process.ts';
import { settingsOf } from './server-process.ts';

export interface CommandRun {
  code: number | null;
  output: string;
  errors: string;
}

/** Runs a command in a separate process, as operators do. */
export const runCommand = (
  file: string,
  storage: StorageSettings,
  args: readonly string[],
  settings: NodeJS.ProcessEnv = {},
): Promise<CommandRun> => startCommand(file, storage, args, settings).ended;

/** Starts a command, for a test that acts on the process while it runs. */
export function startCommand(
  file: string,
  storage: StorageSettings,
  args: readonly string[],
  settings: NodeJS.ProcessEnv,
): { child: ChildProcess; ended: Promise<CommandRun> } {
  const child = spawnNode([file, ...args], { env: { ...settingsOf(storage), ...settings }, errors: 'pipe' });
  child.stdin!.end();
  const ended = Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit') as Promise<[number | null]>,
  ]).then(([output, errors, [code]]) => ({ code, output, errors }));
  return { child, ended };
}

/** Asserts that a run has succeeded, and returns its output. */
export function outputOf({ code, output, errors }: CommandRun, args: readonly string[]): string {
  assert.deepEqual([code, errors], [0, ''], args.join(' '));
  return output;
}

/** Asserts that a run has failed with one line of error, and returns the line. */
export function errorOf({ code, output, errors }: CommandRun, args: readonly string[]): string {
  assert.deepEqual([code, output], [1, ''], args.join(' '));
  assert.match(errors, /^[^\n]+\n$/, args.join(' '));
  return errors;
}

/** Runs a command of `npm run admin`. */
export const runAdmin = (storage: StorageSettings, ...args: string[]): Promise<CommandRun> =>
  runCommand('server/commands/admin/main.ts', storage, args);
