import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { MailState } from '#contract/auth.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

export interface QueuedMail {
  operationId: string | null;
  recipient: string;
  /** What it says, sealed. */
  sealed: string;
  now: number;
  /** After this it would tell nothing useful any more. */
  giveUpAt: number;
}

/** Puts a mail on its way in the transaction that gives reason for it: neither is ever without the other. */
export async function queueMail(
  { db }: Tx,
  { operationId, recipient, sealed, now, giveUpAt }: QueuedMail,
): Promise<void> {
  await db
    .insertInto('outbox')
    .values({ operation_id: operationId, recipient, sealed, next_try_at: now, give_up_at: giveUpAt })
    .execute();
}

/** A notice that nobody waits for is worth sending for a day. */
const noticeSeconds = 24 * 3_600;

/** Tells the owner of an account what has happened to it. */
export function queueNotice(tx: Tx, notice: Pick<QueuedMail, 'recipient' | 'sealed' | 'now'>): Promise<void> {
  return queueMail(tx, { ...notice, operationId: null, giveUpAt: notice.now + noticeSeconds });
}

/** What became of the mail of a started operation, for the client that started it. */
export async function findMailState(
  db: Kysely<Schema>,
  operationId: string,
  clientToken: string,
): Promise<MailState | undefined> {
  const row = await db
    .selectFrom('outbox')
    .innerJoin('operations', 'operations.id', 'outbox.operation_id')
    .select('outbox.state')
    .where('operations.id', '=', operationId)
    .where('operations.client_token', '=', clientToken)
    .executeTakeFirst();
  return row?.state;
}

export interface WaitingMails {
  count: number;
  /** For how long the oldest has waited; 0 when none does. */
  oldestSeconds: number;
}

/** Mails that are still to be accepted. When one was queued follows from when it is to be given up. */
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

/**
 * Takes mails that are due. Whoever takes them has `leaseSeconds` to say what became of them; then they are due again,
 * so a process that dies on the way loses none.
 */
export async function takeDueMails(
  db: Database,
  { now, leaseSeconds, atMost }: { now: number; leaseSeconds: number; atMost: number },
): Promise<DueMail[]> {
  // No try is put off for so long: a clock that has been set back since put it there.
  const tooFarAhead = now + 2 * leaseSeconds;
  const isDue = (eb: ExpressionBuilder<Schema, 'outbox'>) =>
    eb.or([eb('next_try_at', '<=', now), eb('next_try_at', '>', tooFarAhead)]);
  const due = await db.read
    .selectFrom('outbox')
    .select('id')
    .where(isDue)
    .orderBy('next_try_at')
    .limit(atMost)
    .execute();
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
      // Another process may have been quicker.
      .where(isDue)
      .returning(['id', 'recipient', 'sealed', 'attempts', 'give_up_at'])
      .execute(),
  );
}

/** Notes what became of a mail; without a next try it is the end, and what it said is forgotten. */
export async function settleMail(db: Database, id: number, state: MailState, nextTryAt: number | null): Promise<void> {
  await db.tx(({ db: tx }) =>
    tx
      .updateTable('outbox')
      .set({ state, next_try_at: nextTryAt, ...(nextTryAt === null && { sealed: '' }) })
      .where('id', '=', id)
      .execute(),
  );
}
