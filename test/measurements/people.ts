import { openDatabase } from '../../server/db/open-database.ts';
import type { StorageSettings } from '../kit/engines.ts';
import { newUser, signedIn } from '../kit/signed-in.ts';

export interface Person {
  id: number;
  username: string;
  token: string;
}

/** Adds signed-in people straight to a database. */
export async function signedInPeople(storage: StorageSettings, count: number): Promise<Person[]> {
  const db = await openDatabase(storage, () => {});
  const people: Person[] = [];
  for (let i = 0; i < count; i += 1) {
    const username = `person_${i}`;
    const id = await newUser(db, username);
    people.push({ id, username, token: (await signedIn(db, id)).token });
  }
  await db.close();
  return people;
}
