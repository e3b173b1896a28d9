import type { BrowserContext } from '@playwright/test';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open-database.ts';
import { fillDemo } from '../measurements/demo-wall.ts';
import { freePort } from '../kit/free-port.ts';
import { freshStorage } from '../kit/engines.ts';
import { SECRET, startServer } from '../kit/server-process.ts';
import { newUser, signedIn } from '../kit/signed-in.ts';

/** A wall of generated people and posts behind a server of its own. */
export interface DemoServer extends AsyncDisposable {
  url: string;
  /** Makes a person and signs the browser in as this person. */
  signIn(context: BrowserContext, username: string): Promise<void>;
}

export async function startDemoServer(posts: number): Promise<DemoServer> {
  const { storage, remove } = await freshStorage('sqlite');
  await fillDemo(storage, posts);
  const db = await openDatabase(storage, () => {});
  const port = await freePort();
  const server = await startServer(storage, { SECRET, PORT: `${port}`, LOG_LEVEL: 'warn', APP_NAME: 'Дом 12 на Мира' });
  const url = `http://localhost:${port}`;
  return {
    url,
    signIn: (context, username) => signIn(context, url, db, username),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await db.close();
      await remove();
    },
  };
}

async function signIn(context: BrowserContext, url: string, db: Database, username: string): Promise<void> {
  const { cookie, flag } = await signedIn(db, await newUser(db, username));
  await context.addCookies([
    { name: 'session', value: cookie, url, httpOnly: true, sameSite: 'Strict' },
    { name: 'signed-in', value: flag, url, sameSite: 'Strict' },
  ]);
  await context.addInitScript(() => {
    localStorage.setItem('client-token', 'this browser');
  });
}
