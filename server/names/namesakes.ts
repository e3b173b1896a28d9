import { type Kysely, sql } from 'kysely';
import { displayNameKey, normalizeDisplayName } from '#contract/profile-text.ts';
import { isUsername, shownName, usernameKey } from '#contract/username.ts';
import type { Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { isNotDeleted } from '../db/visibility.ts';
import { lockSetting } from '../db/wall-setting-rows.ts';
import { skeletonOf } from './skeleton.ts';

// The shown name of a person is the display name or, without one, the username. A person who takes a name that looks like the
// shown name of somebody else, or that is or mentions the username of somebody else, is a namesake until the name changes again,
// whatever the other person does meanwhile. The mark is shown only beside a display name, because a username is its own mark.

interface Named {
  username: string;
  display_name: string | null;
}

interface Comparison {
  name_skeleton: string;
  is_namesake: number;
}

/** Nobody else takes a name until the end of the transaction, so the second of two people who take the same name sees the first. */
export const lockNames = (tx: Tx): Promise<unknown> => lockSetting(tx, 'names');

/** The usernames that a display name could be taken for, as keys: the name itself and its mentions, without the person's own username. */
function usernamesIn({ username, display_name: name }: Named): string[] {
  const text = displayNameKey(name ?? '');
  const whole = text.replaceAll(/^[^a-z0-9_]+|[^a-z0-9_]+$/g, '');
  const mentions = Array.from(text.matchAll(/@\s*([a-z0-9_]+)/g), ([, mention]) => mention!);
  return [whole, ...mentions].filter((each) => isUsername(each) && each !== usernameKey(username));
}

/** Which of these people have a display name that is or mentions the username of somebody else. */
async function nameUsernames(db: Kysely<Schema>, people: readonly Named[]): Promise<boolean[]> {
  const named = people.map(usernamesIn);
  if (named.every((each) => each.length === 0)) return people.map(() => false);
  const rows = await db
    .selectFrom('users')
    .select('username_key')
    .where('username_key', 'in', [...new Set(named.flat())])
    .where(isNotDeleted('users'))
    .execute();
  const known = new Set(rows.map(({ username_key: key }) => key));
  return named.map((each) => each.some((key) => known.has(key)));
}

/**
 * The stored columns for some hundred names that are taken one after another. Of a person who is stored, a name that looks as before
 * keeps its mark, and may get one by mentioning somebody. The names must be locked.
 */
export async function compareNames(
  db: Kysely<Schema>,
  people: readonly (Named & { name_skeleton?: string | null; is_namesake?: number })[],
): Promise<Comparison[]> {
  const skeletons = people.map((person) => skeletonOf(shownName(person)));
  // With `exists` PostgreSQL would read all people.
  const { rows } = await sql<{ skeleton: string }>`
    with wanted (skeleton) as (values ${sql.join(skeletons.map((each) => sql`(cast(${each} as text))`))})
    select skeleton from wanted
    where (select u.id from users u where u.name_skeleton = wanted.skeleton limit 1) is not null`.execute(db);
  const taken = new Set(rows.map(({ skeleton }) => skeleton));
  const usernames = await nameUsernames(db, people);
  return skeletons.map((skeleton, i) => {
    const { name_skeleton: before, is_namesake: wasNamesake } = people[i]!;
    const isTaken = skeleton === before ? wasNamesake === 1 : taken.has(skeleton);
    taken.add(skeleton);
    return { name_skeleton: skeleton, is_namesake: isTaken || usernames[i] ? 1 : 0 };
  });
}

/** Compares the name of a person who has just changed it. The names must be locked. */
export async function compareName({ db }: Tx, id: number): Promise<void> {
  const person = await db
    .selectFrom('users')
    .select(['username', 'display_name', 'name_skeleton', 'is_namesake'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const [comparison] = await compareNames(db, [person]);
  await db.updateTable('users').set(comparison!).where('id', '=', id).execute();
}

const numbersAtMost = 9;

/** Whether a person who takes this name would be a namesake, and a name with a number with which the person would be none. */
export async function findNamesake(
  db: Kysely<Schema>,
  id: number,
  name: string,
): Promise<{ is_taken: boolean; suggestion: string | null }> {
  const person = await db
    .selectFrom('users')
    .select(['username', 'name_skeleton', 'is_namesake'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const numbered = Array.from({ length: numbersAtMost - 1 }, (_, i) => `${name} ${i + 2}`);
  const names = [name, ...numbered.filter((each) => normalizeDisplayName(each).ok)];
  const compared = await compareNames(
    db,
    names.map((each) => ({ ...person, display_name: each })),
  );
  const free = names.find((_, i) => compared[i]!.is_namesake === 0);
  const isTaken = free !== name;
  return { is_taken: isTaken, suggestion: isTaken ? (free ?? null) : null };
}

export const compareNamesJob = 'compare-names';

/** People per transaction, so that other writers do not wait long. */
const batch = 250;

interface Run {
  signal: AbortSignal;
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/**
 * Compares the names that look otherwise to this program than to the one that compared them last, and stores names as this program
 * stores them. Of names that no program has compared, the older account had one first.
 */
export async function compareAllNames({ signal, tx }: Run): Promise<void> {
  let reached: number | undefined = 0;
  while (reached !== undefined) {
    signal.throwIfAborted();
    const after: number = reached;
    reached = await tx((opened) => compareBatch(opened, after));
  }
}

/** Resolves to the last person of the batch; undefined when there are no more. */
async function compareBatch(tx: Tx, after: number): Promise<number | undefined> {
  await lockNames(tx);
  // The query has no further conditions, because PostgreSQL would read all people for them.
  const read = await tx.db
    .selectFrom('users')
    .select(['id', 'username', 'display_name', 'name_skeleton', 'is_namesake', 'deleted_at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(batch)
    .execute();
  const reached = read.at(-1)?.id;
  const present = read
    .filter(({ deleted_at: deletedAt }) => deletedAt === null)
    .map((person) => {
      const name = normalizeDisplayName(person.display_name ?? '');
      return { ...person, display_name: name.ok ? name.text : person.display_name, stored: person.display_name };
    });
  if (present.length === 0) return reached;
  const comparisons = await compareNames(tx.db, present);
  const rows = present.flatMap(
    ({ id, display_name: name, stored, name_skeleton: before, is_namesake: wasNamesake }, i) => {
      const { name_skeleton: skeleton, is_namesake: isTaken } = comparisons[i]!;
      // A name that only looks otherwise to this program has not changed, so it keeps its mark.
      const isNamesake = wasNamesake || isTaken;
      if (skeleton === before && name === stored && isNamesake === wasNamesake) return [];
      if (name !== stored || isNamesake !== wasNamesake) tx.touch(`user:${id}`);
      const columns = [sql`cast(${id} as bigint)`, sql`cast(${isNamesake} as integer)`];
      const texts = [skeleton, name, name && displayNameKey(name)].map((text) => sql`cast(${text} as text)`);
      return [sql`(${sql.join([...columns, ...texts])})`];
    },
  );
  if (rows.length === 0) return reached;
  // Somebody may have deleted the account since. Without the condition on the ids SQLite scans the whole table.
  await sql`
    with compared (id, is_namesake, skeleton, name, name_key) as (values ${sql.join(rows)})
    update users set name_skeleton = compared.skeleton, is_namesake = compared.is_namesake,
      display_name = compared.name, display_key = compared.name_key from compared
    where users.id = compared.id and users.id in (select id from compared) and users.deleted_at is null`.execute(tx.db);
  return reached;
}

interface Difference {
  what: string;
  id: number;
  stored: number;
  counted: number;
}

const verifyBatch = 1_000;

/** Compares what is stored about names with the names. What the job has not compared yet is left out. */
export async function* verifyNames(db: Kysely<Schema>): AsyncGenerator<Difference> {
  const job = await db.selectFrom('jobs').select('name').where('name', '=', compareNamesJob).executeTakeFirst();
  if (job) return;
  for (let after = 0; ;) {
    const people = await db
      .selectFrom('users')
      .select(['id', 'username', 'display_name', 'name_skeleton'])
      .where('id', '>', after)
      .where(isNotDeleted('users'))
      .orderBy('id')
      .limit(verifyBatch)
      .execute();
    for (const { id, name_skeleton: stored, ...names } of people) {
      if (stored === skeletonOf(shownName(names))) continue;
      yield { what: 'users.name_skeleton: не от этого имени', id, stored: 0, counted: 1 };
    }
    if (people.length < verifyBatch) break;
    after = people.at(-1)!.id;
  }
  const { rows } = await sql<Omit<Difference, 'what'>>`
    select max(id) as id, cast(count(*) as bigint) as stored, 1 as counted from users
    where name_skeleton is not null and is_namesake = 0 and deleted_at is null
    group by name_skeleton having count(*) > 1 order by 1`.execute(db);
  for (const row of rows) yield { what: 'users.is_namesake: первых с этим именем', ...row };
}
