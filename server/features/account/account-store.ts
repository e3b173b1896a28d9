import type { Kysely, Selectable, SqlBool } from 'kysely';
import type { CurrentUser, PublicUser } from '#contract/account.ts';
import { displayNameKey, usernamesFrom } from '#contract/profile-text.ts';
import { isGeneratedUsername, isNameless, isUsername, usernameKey } from '#contract/username.ts';
import { AlreadyTaken, type Tx } from '../../db/database.ts';
import { schedule } from '../../db/job-queue.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { compareName, lockNames } from '../../names/namesakes.ts';
import { shownColumns, shownNames } from '../../names/shown-names.ts';
import { isUnclaimed } from '../moderation/claims.ts';
import { purgeDeletedOf } from '../posts/own-deletion.ts';
import { type Budget, openBudgets } from '../../limits/budgets.ts';
import type { Refusal } from '../../limits/refusal.ts';

/** A name that a person has left stays reserved for this person for 30 days, and links with it lead to the person. */
export const leftNameSeconds = 30 * 24 * 3_600;

type UserRow = Pick<
  Selectable<Schema['users']>,
  'id' | 'about' | 'created_at' | 'posts_count' | (typeof shownColumns)[number]
> & {
  is_unclaimed: SqlBool;
};

const userByKey = prepared<{ key: string }, UserRow>((db, slot) =>
  db
    .selectFrom('users')
    .select(['id', ...shownColumns, 'about', 'created_at', 'posts_count', isUnclaimed('users').as('is_unclaimed')])
    .where('username_key', '=', slot('key'))
    .where(isNotDeleted('users')),
);

export async function findUser(db: Kysely<Schema>, username: string): Promise<PublicUser | undefined> {
  if (!isUsername(username)) return undefined;
  const [found] = await userByKey(db, { key: usernameKey(username) });
  if (!found) return undefined;
  const { id, about, created_at, posts_count, is_unclaimed: isImported } = found;
  const names = shownNames(found);
  return { id: String(id), ...names, about, created_at, posts_count, ...(isImported && { has_never_come: true }) };
}

type CurrentRow = Pick<
  Selectable<Schema['users']>,
  (typeof shownColumns)[number] | 'about' | 'email' | 'role' | 'warning' | 'name_put_off_at'
>;

const userById = prepared<{ id: number }, CurrentRow>((db, slot) =>
  db
    .selectFrom('users')
    .select([...shownColumns, 'about', 'email', 'role', 'warning', 'name_put_off_at'])
    .where('id', '=', slot('id'))
    .where(isNotDeleted('users')),
);

/** Time after which a person who has put off the question about the name is asked again. */
const nameQuestionSeconds = 7 * 24 * 3_600;

/** Without `now`, the result does not say whether the person is asked for a name. */
export async function findCurrentUser(db: Kysely<Schema>, id: number, now?: number): Promise<CurrentUser | undefined> {
  const [row] = await userById(db, { id });
  if (!row) return undefined;
  const { about, email, role, warning, name_put_off_at: putOffAt } = row;
  const { username, display_name, face, is_namesake: isNamesake } = shownNames(row);
  const user: CurrentUser = { id: String(id), username, display_name, face, about, email };
  if (isNamesake) user.is_namesake = isNamesake;
  if (role) user.role = role;
  if (warning !== null) user.warning = warning;
  if (now !== undefined && isNameless(row) && putOffAt + nameQuestionSeconds <= now) user.name_question = 'due';
  return user;
}

/** Whether somebody else has the name, including deleted accounts: their names are never reused. */
export async function isNameTaken(db: Kysely<Schema>, username: string, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey(username))
    .where('id', '!=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Which of these lower-case names are taken: an account has them, even a deleted one, or somebody left them in the last 30 days. */
export async function findTakenNames(db: Kysely<Schema>, names: readonly string[]): Promise<string[]> {
  const taken = (table: 'users' | 'left_usernames') =>
    db.selectFrom(table).select('username_key').where('username_key', 'in', names).execute();
  const rows = await Promise.all([taken('users'), taken('left_usernames')]);
  return rows.flat().map(({ username_key: key }) => key);
}

/** A free username for the display name of a person whose username is still the generated one; undefined for other people. */
export async function usernameFor(
  db: Kysely<Schema>,
  userId: number,
  { name, isReserved }: { name: string; isReserved: (username: string) => boolean },
): Promise<string | undefined> {
  const user = await findCurrentUser(db, userId);
  if (!user || !isGeneratedUsername(user.username)) return undefined;
  const wanted = usernamesFrom(name).filter((each) => !isReserved(each));
  if (wanted.length === 0) return undefined;
  const taken = await findTakenNames(db, wanted.map(usernameKey));
  return wanted.find((each) => !taken.includes(usernameKey(each)));
}

interface NewName {
  userId: number;
  username: string;
  budget: Budget;
  now: number;
}

/** Renames a person or refuses. Throws AlreadyTaken when somebody else has the name or left it less than 30 days ago. */
export async function changeName(tx: Tx, { userId, username, budget, now }: NewName): Promise<Refusal | undefined> {
  // The budget is locked first, so the second of two concurrent changes reads the name that the first one has set.
  const changes = await openBudgets(tx, [budget], now);
  const user = await findCurrentUser(tx.db, userId);
  if (!user || user.username === username) return undefined;
  const before = user.username;
  // The first choice replaces a generated name and does not count.
  const isFirstChoice = isGeneratedUsername(before) && !(await hasLeftNames(tx.db, userId));
  if (!isFirstChoice) {
    if (changes.exhausted) return { ...changes.exhausted, message: 'Имя можно менять десять раз в день.' };
    changes.spend();
  }
  await renameUser(tx, userId, username);
  await recordLeftName(tx, { userId, before, after: username, now });
  return undefined;
}

/** Throws AlreadyTaken when somebody else has the name. */
export async function renameUser(tx: Tx, id: number, username: string): Promise<void> {
  await lockNames(tx);
  await tx.db
    .updateTable('users')
    .set({ username, username_key: usernameKey(username) })
    .where('id', '=', id)
    .execute();
  await compareName(tx, id);
  tx.touch(`user:${id}`);
}

interface Renaming {
  userId: number;
  before: string;
  after: string;
  now: number;
}

/** Records the name that a person has left. Throws AlreadyTaken when the new name is reserved for somebody else. */
async function recordLeftName({ db }: Tx, { userId, before, after, now }: Renaming): Promise<void> {
  const left = usernameKey(before);
  if (left === usernameKey(after)) return;
  // This must come after the write to `users`. That write waits for a concurrent transaction in which somebody else leaves the
  // name, so the row of that transaction is visible now.
  if (await isReservedForAnother(db, after, userId, now))
    throw new AlreadyTaken('The name was left less than 30 days ago');
  await db.deleteFrom('left_usernames').where('username_key', '=', usernameKey(after)).execute();
  await db
    .insertInto('left_usernames')
    .values({ username_key: left, user_id: userId, left_at: now })
    .onConflict((conflict) => conflict.column('username_key').doUpdateSet({ user_id: userId, left_at: now }))
    .execute();
}

/** Whether somebody else left the name less than 30 days ago. */
export async function isReservedForAnother(
  db: Kysely<Schema>,
  username: string,
  userId: number,
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('left_usernames')
    .select('user_id')
    .where('username_key', '=', usernameKey(username))
    .where('user_id', '!=', userId)
    .where('left_at', '>', now - leftNameSeconds)
    .executeTakeFirst();
  return row !== undefined;
}

async function hasLeftNames(db: Kysely<Schema>, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('left_usernames')
    .select('user_id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The current name of the person who left a name; undefined after 30 days. The account may be deleted. */
export async function currentNameOf(db: Kysely<Schema>, leftName: string, now: number): Promise<string | undefined> {
  if (!isUsername(leftName)) return undefined;
  const row = await db
    .selectFrom('left_usernames as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .select('u.username')
    .where('l.username_key', '=', usernameKey(leftName))
    .where('l.left_at', '>', now - leftNameSeconds)
    .executeTakeFirst();
  return row?.username;
}

/** Changes of a profile. A field that is left out keeps its value. */
export interface Profile {
  display_name?: string | null;
  face?: string | null;
  about?: string | null;
}

export async function changeProfile(tx: Tx, userId: number, { display_name: name, ...lines }: Profile): Promise<void> {
  if (name !== undefined) await lockNames(tx);
  await tx.db
    .updateTable('users')
    .set({
      ...(name !== undefined && { display_name: name, display_key: name && displayNameKey(name) }),
      ...lines,
    })
    .where('id', '=', userId)
    .execute();
  if (name !== undefined) await compareName(tx, userId);
  tx.touch(`user:${userId}`);
}

/** Puts off the question about the name for `nameQuestionSeconds`. */
export async function putOffName({ db }: Tx, userId: number, now: number): Promise<void> {
  await db.updateTable('users').set({ name_put_off_at: now }).where('id', '=', userId).execute();
}

/** Throws AlreadyTaken when somebody else has the address. */
export async function changeEmail({ db }: Tx, id: number, email: string): Promise<void> {
  await db.updateTable('users').set({ email }).where('id', '=', id).execute();
}

/** Deletes an account: it and its posts become invisible, its address becomes free, its name is never reused. */
export async function deleteUser(tx: Tx, id: number, now: number): Promise<void> {
  await tx.db.deleteFrom('email_changes').where('user_id', '=', id).execute();
  await purgeDeletedOf(tx, id, now);
  await tx.db
    .updateTable('users')
    .set({
      email: `deleted ${id}`,
      deleted_at: now,
      role: null,
      warning: null,
      display_name: null,
      display_key: null,
      about: null,
      face: null,
      newcomer_until: null,
      name_skeleton: null,
      is_namesake: 0,
      name_put_off_at: 0,
    })
    .where('id', '=', id)
    .execute();
  await schedule(tx, { name: 'clear-deleted', at: now });
  tx.touch('feed', `user:${id}`, `posts-of:${id}`, `replies-of:${id}`);
}
