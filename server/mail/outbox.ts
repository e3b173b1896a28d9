import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { MailState } from '#contract/sign-in.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { type Bounds, countLetters, endlessRoom, lockRoom, readRoom, type Room } from './mail-state.ts';

/** The kinds of mail in the order in which they are sent. */
const mailKinds = { code: 0, notice: 1, answers: 2, digest: 3, best: 4, wall: 5, file: 6 } as const;

export interface QueuedMail {
  /** By default the mail of an operation is a code, and any other one a notice. */
  kind?: keyof typeof mailKinds;
  operationId: string | null;
  recipient: string;
  sealed: string;
  /** Only the row is written: the mail is never sent. */
  toNobody?: boolean;
  now: number;
  /** Unix seconds. The mail is useless after this time. */
  giveUpAt: number;
}

/**
 * Queues a mail in the transaction that causes it, so that both are committed or neither is. If a letter that the person has subscribed
 * to waits already, it only waits for longer, because its text is written when it is sent.
 */
export async function queueMail({ db }: Tx, mail: QueuedMail): Promise<void> {
  const { operationId, recipient, sealed, toNobody = false, now, giveUpAt } = mail;
  const { kind = operationId === null ? 'notice' : 'code' } = mail;
  await db
    .insertInto('outbox')
    .values({
      operation_id: operationId,
      recipient,
      sealed: toNobody ? '' : sealed,
      next_try_at: toNobody ? null : now,
      give_up_at: giveUpAt,
      kind: mailKinds[kind],
    })
    .$if(mailKinds[kind] >= mailKinds.digest, (query) =>
      query.onConflict((waiting) =>
        waiting
          .columns(['recipient', 'kind'])
          .where('kind', '>=', sql.lit(mailKinds.digest))
          .where('next_try_at', 'is not', null)
          .doUpdateSet({ give_up_at: giveUpAt }),
      ),
    )
    .execute();
}

/** A notice is retried for a day: no user is waiting for it. So is a letter about answers, because the digest tells of them too. */
const noticeSeconds = 24 * 3_600;
/** Longer than a week, so that a letter that has no room still waits when the next weekly one would be queued. */
const letterSeconds = 8 * 24 * 3_600;

/** Queues a notice to the owner of an account or to a keeper, or a letter that a person has subscribed to. */
export function queueNotice(tx: Tx, notice: Pick<QueuedMail, 'kind' | 'recipient' | 'sealed' | 'now'>): Promise<void> {
  const isWaitingLong = mailKinds[notice.kind ?? 'notice'] >= mailKinds.digest;
  const seconds = isWaitingLong ? letterSeconds : noticeSeconds;
  return queueMail(tx, { ...notice, operationId: null, giveUpAt: notice.now + seconds });
}

/** The state of the mail of an operation and its purpose, for the client that started the operation. */
export async function findMailState(
  db: Kysely<Schema>,
  operationId: string,
  clientToken: string,
): Promise<{ state: MailState; purpose: string } | undefined> {
  return db
    .selectFrom('outbox')
    .innerJoin('operations', 'operations.id', 'outbox.operation_id')
    .select(['outbox.state', 'operations.purpose'])
    .where('operations.id', '=', operationId)
    .where('operations.client_token', '=', clientToken)
    .executeTakeFirst();
}

export interface WaitingMails {
  count: number;
  /** Age of the oldest waiting mail; 0 when there are none. With a bound of letters a day, letters that may wait for days do not count. */
  oldestSeconds: number;
}

/** Mails that are still to be sent. The time of queueing is derived from `give_up_at`. */
export async function waitingMails(
  db: Kysely<Schema>,
  now: number,
  { codeTtlSeconds, lettersPerDay }: { codeTtlSeconds: number; lettersPerDay: number | undefined },
): Promise<WaitingMails> {
  const ofLetters = sql.lit(lettersPerDay === undefined ? letterSeconds : null);
  const queuedAt = sql<number>`give_up_at - case when kind = ${sql.lit(mailKinds.code)} then ${sql.lit(codeTtlSeconds)} when kind < ${sql.lit(mailKinds.digest)} then ${sql.lit(noticeSeconds)} else ${ofLetters} end`;
  const { count, oldest } = await db
    .selectFrom('outbox')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<number | null>(queuedAt).as('oldest')])
    .where('next_try_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return { count, oldestSeconds: oldest === null ? 0 : Math.max(0, now - oldest) };
}

export interface DueMail {
  id: number;
  recipient: string;
  sealed: string;
  attempts: number;
  give_up_at: number;
  /** When the mail was counted as given to the mail server; null if nothing bounds the letters. */
  countedAt: number | null;
}

interface Lookup {
  now: number;
  leaseSeconds: number;
  /** A try that is due later was scheduled before the clock was set back, and is due now. */
  dueWithinSeconds: number;
  atMost: number;
  /** Undefined if the letters do not go to a mail server. */
  bounds?: Bounds | undefined;
}

/**
 * Locks due mails for `leaseSeconds`, as many as the mail server may get now, codes first. A mail without a recorded outcome is due
 * again after that time, so a crash of the process loses no mail.
 */
export async function lockDueMails(
  db: Database,
  { now, leaseSeconds, dueWithinSeconds, atMost, bounds }: Lookup,
): Promise<DueMail[]> {
  const tooFarAhead = now + dueWithinSeconds;
  const isDue = (eb: ExpressionBuilder<Schema, 'outbox'>) =>
    eb.and([
      eb('next_try_at', 'is not', null),
      eb.or([eb('next_try_at', '<=', now), eb('next_try_at', '>', tooFarAhead)]),
    ]);
  const due = db.read.selectFrom('outbox').select(['id', 'kind']).where(isDue).limit(atMost);
  const found = await due.orderBy('kind').orderBy('next_try_at').execute();
  if (found.length === 0) return [];
  const room = bounds ? await readRoom(db.read, bounds) : endlessRoom;
  const idsOf = (mails: typeof found): number[] => mails.map(({ id }) => id);
  const lock = ({ db: tx }: Tx, mails: typeof found) =>
    tx
      .updateTable('outbox')
      .set((eb) => ({ next_try_at: now + leaseSeconds, attempts: eb('attempts', '+', 1) }))
      .where('id', 'in', idsOf(mails))
      // Another process may have locked some of these mails since.
      .where(isDue)
      .returning(['id', 'recipient', 'sealed', 'attempts', 'give_up_at'])
      .execute();
  const lockUncounted = async (mails: typeof found): Promise<DueMail[]> =>
    (await db.tx((tx) => lock(tx, mails))).map((mail) => ({ ...mail, countedAt: null }));
  if (room === endlessRoom) return lockUncounted(found);

  // Useless mails need no room.
  const useless = await due.where('give_up_at', '<=', now).execute();
  if (useless.length > 0) return lockUncounted(useless);
  // Of the codes that wait while the mail is held, the newest is valid for the longest time.
  const first = room.isHeld ? await due.orderBy('kind').orderBy(newestCode).orderBy('next_try_at').execute() : found;
  const fitting = ({ all, others }: Room) =>
    first.filter(({ kind }, index) => index < (kind === mailKinds.code ? all : others));
  if (fitting(room).length === 0) return [];
  return db.tx(async (tx) => {
    const chosen = fitting(await lockRoom(tx, bounds!));
    const mails = chosen.length === 0 ? [] : await lock(tx, chosen);
    if (mails.length > 0) await countLetters(tx, mails.length, now, now);
    return mails.map((mail) => ({ ...mail, countedAt: now }));
  });
}

const newestCode = sql`case when kind = ${sql.lit(mailKinds.code)} then -id end`;

interface TryOutcome {
  state: MailState;
  nextTryAt: number | null;
  /** Owners may read the code of the mail, so its content stays. */
  isForOwners?: true | undefined;
}

/**
 * Records the outcome of a try. Without a next try the outcome is final, and the content is erased. Does nothing when another
 * process has locked the mail since: that process records the outcome of its own try.
 */
export async function recordOutcome(
  { db }: Tx,
  { id, attempts }: Pick<DueMail, 'id' | 'attempts'>,
  { state, nextTryAt, isForOwners }: TryOutcome,
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ state, next_try_at: nextTryAt, ...(nextTryAt === null && !isForOwners && { sealed: '' }) })
    .where('id', '=', id)
    // Each lock counts one attempt.
    .where('attempts', '=', attempts)
    .execute();
}
