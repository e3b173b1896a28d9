import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { MailState } from '#contract/sign-in.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

export interface QueuedMail {
  operationId: string | null;
  recipient: string;
  sealed: string;
  /** Only the row is written: the mail is never sent. */
  toNobody?: boolean;
  now: number;
  /** Unix seconds. The mail is useless after this time. */
  giveUpAt: number;
}

/** Queues a mail in the transaction that causes it, so that both are committed or neither is. */
export async function queueMail(
  { db }: Tx,
  { operationId, recipient, sealed, toNobody = false, now, giveUpAt }: QueuedMail,
): Promise<void> {
  await db
    .insertInto('outbox')
    .values({
      operation_id: operationId,
      recipient,
      sealed: toNobody ? '' : sealed,
      next_try_at: toNobody ? null : now,
      give_up_at: giveUpAt,
    })
    .execute();
}

/** A notice is retried for a day: no user is waiting for it. */
const noticeSeconds = 24 * 3_600;

/** Queues a notice to the owner of an account or to a keeper, or a letter that a person has subscribed to. */
export function queueNotice(tx: Tx, notice: Pick<QueuedMail, 'recipient' | 'sealed' | 'now'>): Promise<void> {
  return queueMail(tx, { ...notice, operationId: null, giveUpAt: notice.now + noticeSeconds });
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
  /** Age of the oldest waiting mail; 0 when there are none. */
  oldestSeconds: number;
}

/** Mails that are still to be sent. The time of queueing is derived from `give_up_at`. */
export async function waitingMails(
  db: Kysely<Schema>,
  now: number,
  { codeTtlSeconds }: { codeTtlSeconds: number },
): Promise<WaitingMails> {
  const queuedAt = sql<number>`give_up_at - case when operation_id is null then ${sql.lit(noticeSeconds)} else ${sql.lit(codeTtlSeconds)} end`;
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
}

interface Lookup {
  now: number;
  leaseSeconds: number;
  /** A try that is due later was scheduled before the clock was set back, and is due now. */
  dueWithinSeconds: number;
  atMost: number;
}

/**
 * Locks due mails for `leaseSeconds`. A mail without a recorded outcome is due again after that time, so a crash of the
 * process loses no mail.
 */
export async function lockDueMails(
  db: Database,
  { now, leaseSeconds, dueWithinSeconds, atMost }: Lookup,
): Promise<DueMail[]> {
  const tooFarAhead = now + dueWithinSeconds;
  const isDue = (eb: ExpressionBuilder<Schema, 'outbox'>) =>
    eb.or([eb('next_try_at', '<=', now), eb('next_try_at', '>', tooFarAhead)]);
  const firstDue = (limit: number) =>
    db.read.selectFrom('outbox').select('id').where(isDue).orderBy('next_try_at').limit(limit);
  // Mails with codes come first: somebody waits for a code, but nobody for the letters of the morning.
  const due = await firstDue(atMost).where('operation_id', 'is not', null).execute();
  if (due.length < atMost) {
    due.push(
      ...(await firstDue(atMost - due.length)
        .where('operation_id', 'is', null)
        .execute()),
    );
  }
  if (due.length === 0) return [];
  return db.tx(({ db: tx }) =>
    tx
      .updateTable('outbox')
      .set((eb) => ({ next_try_at: now + leaseSeconds, attempts: eb('attempts', '+', 1) }))
      .where(
        'id',
        'in',
        due.map(({ id }) => id),
      )
      // Another process may have locked some of these mails since.
      .where(isDue)
      .returning(['id', 'recipient', 'sealed', 'attempts', 'give_up_at'])
      .execute(),
  );
}

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
