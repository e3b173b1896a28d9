import type { Kysely, Selectable } from 'kysely';
import type { KeeperActName } from '#contract/keeper-acts.ts';
import type { DiscussionRules } from '#contract/reply-rules.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import type { Refusal } from '../../limits/refusal.ts';

/** Who acts, when and why: part of every entry of the journal. */
export interface By {
  /** Unix seconds. */
  at: number;
  /** The name of the moderator or operator at that time. */
  operator: string;
  /** Undefined if an operator acts from the command line. */
  moderatorId?: number;
  reason: string;
  /** The id of the entry that this act undoes. */
  undoes?: number;
}

interface Act {
  action: KeeperActName;
  /** The id of the post or the name of the person. For an act on the wall: what it changes, such as the key of a setting. */
  target?: string;
  /** The id of the post or person. */
  targetId?: number;
  details?: object;
  /** The actions whose entries for the same target this act ends. */
  ends?: readonly KeeperActName[];
  /** `ends` applies to the entries of every target. */
  endsAll?: true;
}

/** The result of an act: its entry in the journal, or why nothing was done. */
export type Outcome<Done extends object = object> = ({ actId: number } & Done) | ActRefusal;

export type ActRefusal = Refusal<
  | 'already'
  | 'missing'
  | 'author gone'
  | 'own post'
  | 'oneself'
  | 'moderator'
  | 'last owner'
  | 'not yours'
  | 'reply cannot be pinned'
  | 'closed'
  | 'past'
  | 'not undoable'
  | 'unconfirmed'
>;

/** Writes the entry in the transaction of the act, so that no act goes unrecorded. Resolves to the id of the entry. */
export async function recordAct({ db }: Tx, by: By, act: Act): Promise<number> {
  const { action, target = null, targetId = null, ends = [], endsAll = false } = act;
  const { at, operator, moderatorId = null, reason, undoes } = by;
  const details = undoes === undefined ? act.details : { ...act.details, undoes };
  const { id } = await db
    .insertInto('operator_log')
    .values({
      at,
      operator,
      moderator_id: moderatorId,
      action,
      target,
      target_id: targetId,
      reason,
      details: details ? JSON.stringify(details) : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (ends.length > 0) {
    await db
      .updateTable('operator_log')
      .set({ ended_by: id })
      .where('action', 'in', ends)
      .where('ended_by', 'is', null)
      .where('id', '<', id)
      .$if(!endsAll, (query) => query.where('target_id', '=', targetId))
      .execute();
  }
  return id;
}

/** The fields of an entry about a person. */
export const onPerson = async ({ db }: Tx, action: KeeperActName, id: number, details: object) => {
  const { username } = await db.selectFrom('users').select('username').where('id', '=', id).executeTakeFirstOrThrow();
  // The details contain the id, because names change.
  return { action, target: username, targetId: id, details: { user: id, ...details } };
};

export async function endAct({ db }: Tx, id: number, endedBy: number): Promise<void> {
  await db.updateTable('operator_log').set({ ended_by: endedBy }).where('id', '=', id).execute();
}

export type JournalRow = Selectable<Schema['operator_log']>;

/** The arguments of an act besides its reason. An undo takes them from the entry that it undoes. */
export interface Given {
  removePosts?: boolean | undefined;
  restorePosts?: boolean | undefined;
  /** Appoints an owner. */
  owner?: boolean | undefined;
  /** The pace of a discussion. */
  seconds?: number | undefined;
  /** When the effect of the act ends by itself; null: never. */
  until?: number | null | undefined;
  /** The person concerned reads this reason instead of the reason of the act. */
  because?: string | undefined;
  undone?: JournalRow | undefined;
}

/** Side effects of an act by name, such as the number of settled reports or removed posts. */
export type Counts = Record<string, number>;

/** Carries out an act on the post or person with this id, in one transaction with its entry. */
export type CarryOut = (
  tx: Tx,
  id: number,
  by: By,
  given: Given,
) => Promise<Outcome<{ counts?: Counts; postId?: number | null }>>;

/** Continues an act after its transaction, in batches with transactions of their own. It can be run again after an interruption. */
export type Sequel = (db: Database, id: number, by: By, given: Given) => Promise<Counts>;

/** The column `details` of an entry. An act that sets a column of a post stores what the column contained before. */
export interface Details extends Partial<DiscussionRules> {
  removed_because?: string;
  with_block?: boolean;
  blocked_because?: string;
  restore_posts?: boolean;
  until?: number | null;
  /** The pace of the discussion before the act. */
  before?: number;
  seconds?: number;
}

export const detailsOf = ({ details }: Pick<JournalRow, 'details'>): Details => JSON.parse(details ?? '{}') as Details;

/** The entries with ids below `below`, the latest first. */
export function listActs(db: Kysely<Schema>, limit: number, below?: number): Promise<JournalRow[]> {
  return db
    .selectFrom('operator_log')
    .selectAll()
    .$if(below !== undefined, (query) => query.where('id', '<', below!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Locks an entry until the end of the transaction, so that it is undone once. */
export function lockAct({ db }: Tx, id: number): Promise<JournalRow | undefined> {
  return db
    .updateTable('operator_log')
    .set((eb) => ({ reason: eb.ref('reason') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}
