import { setTimeout as sleep } from 'node:timers/promises';
import type { LightMyRequestResponse } from 'fastify';
import { createUser } from '../../server/account/store.ts';
import { makeSecrets } from '../../server/secrets.ts';
import { cookieHash, issueToken, newCookie } from '../../server/sessions/rules.ts';
import { openSession } from '../../server/sessions/store.ts';
import { type Browser, device, openBrowser } from '../../test/door.ts';
import type { DistantWall } from './distant-wall.ts';
import { SECRET } from './people.ts';

/** A browser with an open session, cookie and token. */
export interface SignedIn extends Browser {
  sessionId: number;
}

const tokenSeconds = 3_600;
const patienceMs = 20_000;
const pauseMs = 20;

/** Somebody with so many sessions, put straight into the database: signing in is not what is tried. */
export async function signedInBrowsers(
  { db, ...wall }: DistantWall,
  username: string,
  many: number,
): Promise<SignedIn[]> {
  const now = Math.floor(Date.now() / 1_000);
  const userId = await db.tx((tx) => createUser(tx, { username, email: `${username}@example.org`, now }));
  const browsers: SignedIn[] = [];
  for (let i = 0; i < many; i += 1) {
    const browser = openBrowser(wall);
    const cookie = newCookie();
    const { clientToken } = browser;
    const session = { userId, cookieHash: cookieHash(cookie), clientToken, device: JSON.stringify(device), now };
    const sessionId = await db.tx((tx) => openSession(tx, session));
    browser.cookies.set('session', cookie);
    browser.token = issueToken(makeSecrets(SECRET), sessionId, now + tokenSeconds).token;
    browsers.push(Object.assign(browser, { sessionId }));
  }
  return browsers;
}

/** Asks again while the server is away, as the web app does. */
export async function untilAnswered(ask: () => Promise<LightMyRequestResponse>): Promise<LightMyRequestResponse> {
  for (const deadline = performance.now() + patienceMs; ; await sleep(pauseMs)) {
    const response = await ask().catch(() => undefined);
    if (response && response.statusCode !== 503) return response;
    if (performance.now() > deadline) throw new Error('The server did not come back');
  }
}
