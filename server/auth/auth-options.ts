import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { SecurityLog } from '../http/security-log.ts';
import type { Secrets } from '../secrets.ts';
import type { Cookies } from '../sessions/cookies.ts';

export interface AuthOptions {
  db: Database;
  config: Config;
  secrets: Secrets;
  cookies: Cookies;
  /** Whoever sends the mail; woken when there is some. */
  outbox: { wake(): void };
  security: SecurityLog;
  /** Unix seconds. */
  now: () => number;
}
