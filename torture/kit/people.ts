import { createUser } from '../../server/account/store.ts';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open-database.ts';
import { makeSecrets } from '../../server/secrets.ts';
import { issueToken } from '../../server/sessions/rules.ts';
import { openSession } from '../../server/sessions/store.ts';
import type { Place } from '../../test/engines.ts';

/** Of every server of a trial. */
export const SECRET = 'one secret for all the processes of a test';

const tokenSeconds = 24 * 3_600;

export interface Person {
  id: number;
  username: string;
  token: string;
}

/** So many people who are signed in, put straight into the database: signing in is not what is tried. */
export async function signedInPeople(place: Place, count: number): Promise<Person[]> {
  const db = await openDatabase(place, () => {});
  const people: Person[] = [];
  for (let i = 0; i < count; i += 1) people.push(await signedIn(db, `person_${i}`));
  await db.close();
  return people;
}

async function signedIn(db: Database, username: string): Promise<Person> {
  const now = Math.floor(Date.now() / 1_000);
  const id = await db.tx((tx) => createUser(tx, { username, email: `${username}@example.org`, now }));
  const session = { userId: id, cookieHash: `of ${username}`, clientToken: 'torture', device: '{}', now };
  const sessionId = await db.tx((tx) => openSession(tx, session));
  return { id, username, token: issueToken(makeSecrets(SECRET), sessionId, now + tokenSeconds).token };
}
