import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { By } from '../../features/moderation/journal.ts';
import type { Notice } from '../../mail/notices.ts';
import type { OptionName, Options } from './options.ts';

/** Input of a command. */
interface Invocation {
  db: Database;
  config: Config;
  /** First argument after the command's name. */
  target: string | undefined;
  /** Second argument after the command's name. */
  value: string | undefined;
  options: Options;
  /** Unix seconds. */
  now: number;
  /** Throws a CommandError if no reason is given. */
  act(): By;
  /** Encrypts a notice for the outbox. */
  seal(notice: Notice): Promise<string>;
}

/** Output of a command, as JSON and as text. */
export interface Output {
  json: object;
  text: string;
  /** Makes the exit status 1, although there is output. */
  failed?: boolean;
}

export interface Command {
  name: string;
  /** The arguments after the name, one word or two, in brackets if optional. */
  target?: string;
  /** In addition to the options of every command. */
  options: readonly OptionName[];
  summary: string;
  run(invocation: Invocation): Promise<Output>;
}
