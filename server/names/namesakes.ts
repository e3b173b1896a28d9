import { type Kysely, sql } from 'kysely';
import { shownName } from '#contract/username.ts';
import type { Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { isNotDeleted } from '../db/visibility.ts';
import { lockSetting } from '../db/wall-setting-rows.ts';
import { skeletonOf } from './skeleton.ts';

// The shown name of a person is the display name or, without one, the username. A person who takes a name that looks like the
// shown name of somebody else is a namesake until the name changes again, whatever the other person does meanwhile. The mark is
// shown only beside a display name, because a username is its own mark.

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

/** The stored columns for some hundred names that are taken one after another. The names must be locked. */
export async function compareNames(db: Kysely<Schema>, people: readonly Named[]): Promise<Comparison[]> {
  const skeletons = people.map((person) => skeletonOf(shownName(person)));
  // With `exists` PostgreSQL would read all people.
  const { rows } = await sql<{ skeleton: string }>`
    with wanted (skeleton) as (values ${sql.join(skeletons.map((each) => sql`(cast(${each} as text))`))})
    select skeleton from wanted
    where (select u.id from users u where u.name_skeleton = wanted.skeleton limit 1) is not null`.execute(db);
  const taken = new Set(rows.map(({ skeleton }) => skeleton));
  return skeletons.map((skeleton) => {
    const isTaken = taken.has(skeleton);
    taken.add(skeleton);
    return { name_skeleton: skeleton, is_namesake: isTaken ? 1 : 0 };
  });
}

/** Compares the name of a person who has just changed it, unless it looks as before. The names must be locked. */
export async function compareName({ db }: Tx, id: number): Promise<void> {
  const { name_skeleton: before, ...names } = await db
    .selectFrom('users')
    .select(['username', 'display_name', 'name_skeleton'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (skeletonOf(shownName(names)) === before) return;
  const [comparison] = await compareNames(db, [names]);
  await db.updateTable('users').set(comparison!).where('id', '=', id).execute();
}

export const compareNamesJob = 'compare-names';

/** People per transaction, so that other writers do not wait long. */
const batch = 250;

interface Run {
  signal: AbortSignal;
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** Compares the names that no program has compared yet: those of a wall of an earlier version. The older account had a name first. */
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
    .select(['id', 'username', 'display_name', 'name_skeleton', 'deleted_at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(batch)
    .execute();
  const people = read.filter(({ name_skeleton: known, deleted_at: deletedAt }) => known === null && deletedAt === null);
  const reached = read.at(-1)?.id;
  if (people.length === 0) return reached;
  const comparisons = await compareNames(tx.db, people);
  const rows = people.map(({ id }, i) => {
    const { name_skeleton: skeleton, is_namesake: isNamesake } = comparisons[i]!;
    if (isNamesake) tx.touch(`user:${id}`);
    return sql`(cast(${id} as bigint), cast(${skeleton} as text), cast(${isNamesake} as integer))`;
  });
  // Somebody may have deleted the account since. Without the condition on the ids SQLite scans the whole table.
  await sql`
    with compared (id, skeleton, is_namesake) as (values ${sql.join(rows)})
    update users set name_skeleton = compared.skeleton, is_namesake = compared.is_namesake from compared
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
