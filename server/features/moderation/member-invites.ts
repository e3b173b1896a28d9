import type { Kysely } from 'kysely';
import type { Invitations } from '#contract/invitations.ts';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import type { Secrets } from '../../secrets.ts';
import type { InviteTerms } from '../wall-texts/wall-settings.ts';
import { mayInvite } from './branch.ts';
import { deriveCode, inviteCode, inviteHash, newInviteCode, registrationMode } from './invites.ts';
import { lockPerson } from './moderation-store.ts';

// Invitations that members make in their settings, each for one person.

const day = 24 * 3_600;
const month = 30 * day;
/** The latest invitations of a person that are listed. */
const listed = 100;

interface InviteOptions {
  userId: number;
  terms: InviteTerms;
  now: number;
}

type Right = Omit<Invitations, 'invitations'>;

const not = (refused: string, nextAt: number | null = null): Right => ({ left: 0, refused, next_at: nextAt });

/** How many invitations a person may make now, or why none. The result is exact if the caller has locked the person. */
export async function rightToInvite(
  db: Kysely<Schema>,
  { userId, terms: { invite_days: days, invite_posts: posts, invite_links: links }, now }: InviteOptions,
): Promise<Right> {
  const mode = await registrationMode(db);
  if (mode === 'closed') return not('Новых учётных записей на этой стене сейчас не заводят.');
  const person = await db
    .selectFrom('users')
    .select(['role', 'created_at', 'posts_count'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  if (person.role) return { left: null, refused: null, next_at: null };
  if (mode === 'open') return not('Зарегистрироваться здесь может каждый: просто пришлите человеку адрес стены.');
  if (mode === 'invite') return not('На эту стену зовут только те, кто её ведёт.');
  if (!(await mayInvite(db, userId))) return not('Те, кто ведёт стену, решили, что вы больше не приглашаете.');
  const since = person.created_at + days * day;
  const lacking = [
    since > now && `подождать дней: ${daysLeft(since, now)}`,
    person.posts_count < posts && `написать записей: ${posts - person.posts_count}`,
  ].filter((part) => part !== false);
  if (lacking.length > 0) {
    const rule = `Приглашают те, кто на стене не меньше ${days} дн. и у кого записей не меньше ${posts}.`;
    return not(`${rule} Вам осталось ${lacking.join(' и ')}.`, since > now ? since : null);
  }
  const made = await db
    .selectFrom('invites')
    .select('created_at')
    .where('made_by', '=', userId)
    .where('by_member', '=', 1)
    .where('created_at', '>', now - month)
    .orderBy('id', 'desc')
    .limit(links)
    .execute();
  if (made.length < links) return { left: links - made.length, refused: null, next_at: null };
  const next = made.at(-1)!.created_at + month;
  return not(`Ссылки закончились: в месяц их ${links}. Следующая — через ${daysLeft(next, now)} дн.`, next);
}

const daysLeft = (at: number, now: number): number => Math.ceil((at - now) / day);

/** Makes a link for one person. A concurrent request of the same member waits for the lock, so the limit holds. */
export async function makeMemberInvite(
  tx: Tx,
  secrets: Secrets,
  options: InviteOptions,
): Promise<{ id: number } | { refused: string }> {
  const { userId, now } = options;
  await lockPerson(tx, userId);
  const { refused } = await rightToInvite(tx.db, options);
  if (refused !== null) return { refused };
  const { id } = await tx.db
    .insertInto('invites')
    .values({ code_hash: inviteHash(newInviteCode()), note: '', created_at: now, made_by: userId, by_member: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  await deriveCode(tx, secrets, id);
  return { id };
}

interface MemberInvite {
  id: string;
  code: string;
  used_by: string | null;
  is_open: boolean;
  created_at: number;
}

/** The unused and used invitations of a person, the latest first. People who have left are not named. */
export async function listMemberInvites(db: Kysely<Schema>, secrets: Secrets, userId: number): Promise<MemberInvite[]> {
  const rows = await db
    .selectFrom('invites as i')
    .leftJoin('users as u', (join) => join.onRef('u.id', '=', 'i.used_by').on('u.deleted_at', 'is', null))
    .select(['i.id', 'i.used', 'i.created_at', 'u.username as used_by'])
    .where('i.made_by', '=', userId)
    .where('i.by_member', '=', 1)
    .where('i.seats', '>', 0)
    .orderBy('i.id', 'desc')
    .limit(listed)
    .execute();
  return rows.map(({ id, used, ...row }) => ({
    id: String(id),
    code: inviteCode(secrets, id),
    is_open: used === 0,
    ...row,
  }));
}

/** All invitations of a person, including revoked ones, in the order of their ids. */
export const invitesMadeBy = (db: Kysely<Schema>, userId: number, limit: number) => (after: number) =>
  db
    .selectFrom('invites as i')
    .leftJoin('users as u', (join) => join.onRef('u.id', '=', 'i.used_by').on('u.deleted_at', 'is', null))
    .select(['i.id', 'i.created_at', 'i.seats', 'i.used_at', 'u.username as used_by'])
    .where('i.made_by', '=', userId)
    .where('i.by_member', '=', 1)
    .where('i.id', '>', after)
    .orderBy('i.id')
    .limit(limit)
    .execute();

/** Revokes an invitation. False when the person has no such unused invitation. */
export async function endMemberInvite({ db }: Tx, { userId, id }: { userId: number; id: number }): Promise<boolean> {
  const ended = await db
    .updateTable('invites')
    .set({ seats: 0 })
    .where('id', '=', id)
    .where('made_by', '=', userId)
    .where('by_member', '=', 1)
    .where('used', '=', 0)
    .where('seats', '>', 0)
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}
