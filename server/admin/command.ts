import type { Database } from '../db/database.ts';
import type { Notice } from '../mail/notices.ts';
import type { OptionName, Options } from './options.ts';

/** Who acts, when and why: what the log keeps of every action. */
export interface Act {
  at: number;
  operator: string;
  reason: string;
}

/** A command as it was given. */
interface Order {
  db: Database;
  /** What stands behind the command's name. */
  target: string | undefined;
  /** What stands behind the target. */
  value: string | undefined;
  options: Options;
  /** Unix seconds. */
  now: number;
  /** Refuses an order without a reason. */
  act(): Act;
  /** A notice as the outbox holds it. */
  seal(notice: Notice): Promise<string>;
}

/** What came of it: for scripts, and in words. */
export interface Outcome {
  json: object;
  text: string;
}

export interface Command {
  name: string;
  /** What stands behind the name, one word or two; in brackets where it may be missing. */
  target?: string;
  /** Beside those that every command takes. */
  options: readonly OptionName[];
  summary: string;
  run(order: Order): Promise<Outcome>;
}
