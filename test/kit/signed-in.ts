import type { Database } from '../../server/db/database.ts';
import { createUser } from './create-user.ts';
import { cookieHash, issueToken, newCookie, signInFlag } from '../../server/features/sessions/session-rules.ts';
import { openSession } from '../../server/features/sessions/session-store.ts';
import { makeSecrets } from '../../server/secrets.ts';
import { device as ordinary } from './sign-in.ts';
import { SECRET } from './server-process.ts';

export interface SignedIn {
  sessionId: number;
  /** Value of the session cookie. */
  cookie: string;
  /** Value of the cookie that scripts read. */
  flag: string;
  /** Access token for servers that share `SECRET`. */
  token: string;
}

const tokenSeconds = 24 * 3_600;

export const now = (): number => Math.floor(Date.now() / 1_000);

/** Inserts an account directly into the database. */
export const newUser = (
  db: Database,
  username: string,
  createdAt = now(),
  email = `${username}@example.org`,
): Promise<number> => db.tx((tx) => createUser(tx, { username, email, now: createdAt }));

/** Opens a session directly in the database, for tests whose subject is not sign-in. */
export async function signedIn(
  db: Database,
  userId: number,
  { clientToken = 'this browser', device = ordinary } = {},
): Promise<SignedIn> {
  const cookie = newCookie();
  const session = { userId, cookieHash: cookieHash(cookie), clientToken, device: JSON.stringify(device), now: now() };
  const sessionId = await db.tx((tx) => openSession(tx, session));
  const flag = signInFlag(cookie);
  return { sessionId, cookie, flag, token: issueToken(makeSecrets(SECRET), sessionId, now() + tokenSeconds).token };
}
