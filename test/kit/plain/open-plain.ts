import type { Database } from '../../../server/db/database.ts';
import { type Engine, openFresh } from '../engines.ts';
import { startLocalServer } from '../local-server.ts';
import { newAddress } from '../sign-in.ts';
import { type MailServer, startMailServer } from '../smtp.ts';
import { plainWorld, type PlainWorld } from './actions.ts';

/** A wall for readers without scripts. */
export interface OpenedPlain extends AsyncDisposable {
  url: string;
  db: Database;
  mail: MailServer;
  /** An address without an account. */
  email: string;
  world: PlainWorld;
  /** All that a form could change. */
  rows(): Promise<string>;
}

const changed = [
  'posts',
  'likes',
  'users',
  'sessions',
  'operations',
  'mutes',
  'reports',
  'removed_posts',
  'follows',
  'program_tokens',
  'operator_log',
] as const;

export async function openPlain(engine: Engine, settings: NodeJS.ProcessEnv = {}): Promise<OpenedPlain> {
  const mail = await startMailServer();
  const { db, close } = await openFresh(engine);
  const own = { LOG_LEVEL: 'error', SMTP_URL: mail.url, RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0', ...settings };
  const server = await startLocalServer(db, own);
  const email = newAddress();
  return {
    url: server.address,
    db,
    mail,
    email,
    world: await plainWorld(db, mail, email),
    async rows() {
      const rows = await Promise.all(changed.map((table) => db.read.selectFrom(table).selectAll().execute()));
      // The last activity changes with every page.
      return JSON.stringify(rows, (name, value: unknown) =>
        ['last_active_at', 'expires_at', 'client_token'].includes(name) ? '' : value,
      );
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await close();
      await mail.close();
    },
  };
}
