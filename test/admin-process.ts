import { type CommandRun, runCommand } from './command-process.ts';
import type { Place } from './engines.ts';

/** An operator's command. */
export const runAdmin = (place: Place, ...args: string[]): Promise<CommandRun> =>
  runCommand('admin/main.ts', place, args);
