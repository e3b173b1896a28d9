import { type Kysely, sql } from 'kysely';
import type { Role } from '../../db/account-tables.ts';
import type { Schema } from '../../db/schema.ts';
import type { shownColumns } from '../../names/shown-names.ts';

// Invitations form a tree. The branch of a person are the people who came by the person's invitations, by theirs, and so on. A
// branch ends at people who keep the wall: the people they invite are not part of it.

/** Whether the person may invite: no moderator has ended this right for the person or for anybody above in the tree. */
export async function mayInvite(db: Kysely<Schema>, userId: number): Promise<boolean> {
  return (await nearestWithoutInvites(db, userId)) === undefined;
}

/** The id of the nearest person, from this one upwards, for whose branch the right to invite has ended. */
export async function nearestWithoutInvites(db: Kysely<Schema>, userId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    with recursive up (id, inviter, ended_at, level) as (
      select id, invited_by, invites_ended_at, 0 from users where id = ${userId}
      union all
      select u.id, u.invited_by, u.invites_ended_at, up.level + 1
      from up join users u on u.id = up.inviter
      where u.role is null
    )
    select id from up where ended_at is not null order by level limit 1`.execute(db);
  return rows[0]?.id;
}

export interface BranchRow {
  id: number;
  username: string;
  display_name: string | null;
  face: string | null;
  is_namesake: number;
  role: Role | null;
  blocked_at: number | null;
  deleted_at: number | null;
  /** Distance from the person: 1 for people whom the person has invited. */
  level: number;
  inviter_name: string;
  inviter_deleted_at: number | null;
}

export type NamedRow = Pick<BranchRow, (typeof shownColumns)[number] | 'deleted_at'>;

/** The branch of a person, the nearest first, without the person. `blockable`: only people whom a moderator can block. */
export async function findBranch(
  db: Kysely<Schema>,
  userId: number,
  { limit, only }: { limit: number; only: 'all' | 'blockable' },
): Promise<BranchRow[]> {
  const chosen = only === 'all' ? sql`` : sql`where u.blocked_at is null and u.deleted_at is null and u.role is null`;
  const { rows } = await sql<BranchRow>`
    with recursive branch (id, inviter, level) as (
      select id, invited_by, 1 from users where invited_by = ${userId}
      union all
      select u.id, u.invited_by, b.level + 1
      from branch b join users p on p.id = b.id join users u on u.invited_by = b.id
      where p.role is null
    )
    select u.id, u.username, u.display_name, u.face, u.is_namesake, u.role, u.blocked_at, u.deleted_at, b.level,
      i.username as inviter_name, i.deleted_at as inviter_deleted_at
    from branch b join users u on u.id = b.id join users i on i.id = b.inviter
    ${chosen} order by b.level, u.id limit ${limit}`.execute(db);
  return rows;
}

export function findInviterOf(db: Kysely<Schema>, userId: number): Promise<NamedRow | undefined> {
  return db
    .selectFrom('users as u')
    .innerJoin('users as i', 'i.id', 'u.invited_by')
    .select(['i.username', 'i.display_name', 'i.face', 'i.is_namesake', 'i.deleted_at'])
    .where('u.id', '=', userId)
    .executeTakeFirst();
}
