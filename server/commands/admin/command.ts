import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { By } from '../../features/moderation/journal.ts';
import type { Secrets } from '../../secrets.ts';
import type { OptionName, Options } from './options.ts';

/** Input of a command. */
interface Invocation {
  db: Database;
  config: Config;
  /** The first argument after the name of the command. */
  target: string | undefined;
  /** The second argument after the name of the command. */
  value: string | undefined;
  options: Options;
  /** Unix seconds. */
  now: number;
  /** The operator, the reason and the time of an act. Throws a CommandError if no reason is given. */
  act(): By;
  secrets(): Promise<Secrets>;
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
  /** The names of the arguments, one word or two; in brackets if the command also works without. */
  target?: string;
  /** The options of this command, besides those of every command. */
  options: readonly OptionName[];
  summary: string;
  run(invocation: Invocation): Promise<Output>;
}
