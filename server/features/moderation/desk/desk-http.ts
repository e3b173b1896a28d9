import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { ErrorCode } from '#contract/errors.ts';
import { limitOf } from '#contract/limits.ts';
import type { Tx } from '../../../db/database.ts';
import { parseId } from '../../../db/ids.ts';
import { ApiError } from '../../../http/thrown-api-error.ts';
import { orNotFound } from '../../../http/serve.ts';
import { spendOrRefuse } from '../../../limits/limits-http.ts';
import type { Refusal } from '../../../limits/refusal.ts';
import { writingBudgets } from '../../../limits/writing-budgets.ts';
import { refuseWhileUndoable } from '../../account/own-codes-http.ts';
import { findUser } from '../../account/account-store.ts';
import { acceptText } from '../../posts/routes/list-http.ts';
import { callerOf, sessionCallerOf, type SessionOptions } from '../../sessions/session-http.ts';
import { undoSeconds } from '../../sign-in/sign-in-rules.ts';
import type { ActRefusal, By, Outcome } from '../journal.ts';
import { lockPerson } from '../moderation-store.ts';
import { isConfirmed, moderatorName } from '../roles.ts';

const operatorOnly = 'Модераторов блокирует и разблокирует только оператор стены.';

type Reason = Exclude<ActRefusal['refused'], 'already'>;

/** The response to a moderator whose act is refused. */
const responses: Record<Reason, { code: ErrorCode; message: string }> = {
  missing: { code: 'NOT_FOUND', message: 'Этого уже нет. Обновите страницу.' },
  'author gone': { code: 'FORBIDDEN', message: 'Запись не вернуть: её автор удалил учётную запись.' },
  'own post': { code: 'FORBIDDEN', message: 'Это ваша запись: решить о ней может другой модератор или оператор.' },
  oneself: { code: 'FORBIDDEN', message: `Себя ни заблокировать, ни предупредить нельзя. ${operatorOnly}` },
  moderator: { code: 'FORBIDDEN', message: operatorOnly },
  'last owner': { code: 'FORBIDDEN', message: 'Это последний владелец стены. Сначала назначьте другого.' },
  'not yours': {
    code: 'FORBIDDEN',
    message: 'Это приглашение сделал другой модератор: отозвать его может он сам или владелец стены.',
  },
  'reply cannot be pinned': {
    code: 'FORBIDDEN',
    message: 'Это ответ. Закрепить можно только запись, которая стоит в ленте.',
  },
  closed: { code: 'FORBIDDEN', message: 'Новые ответы запрещены. Сначала разрешите их.' },
  past: { code: 'INVALID_REQUEST', message: 'Это время уже прошло. Выберите более позднее.' },
  'not undoable': { code: 'FORBIDDEN', message: 'Это решение отменить нельзя.' },
  unconfirmed: { code: 'CONFIRMATION_REQUIRED', message: 'Подтвердите, что это вы: запросите код на почту.' },
};

export const apiErrorOf = (reason: Reason): ApiError => {
  const { code, message } = responses[reason];
  return new ApiError(code, { message });
};

/** The id of the act; null when there was nothing to do. Throws the refusal of a refused act. */
export function actIdOf(outcome: Outcome): string | null {
  if (!('refused' in outcome)) return String(outcome.actId);
  if (outcome.refused === 'already') return null;
  throw apiErrorOf(outcome.refused);
}

/** The browser appends when to try again. */
const tooManyActs =
  'Слишком много решений за короткое время. Это защита на случай, если под вашим именем вошёл кто-то другой. Оператор стены может продолжить из командной строки.';

type Budget = 'acts' | 'undos' | 'approvals';

/** People whom a person may invite while a change of the person's address can be undone. */
const invitedAtMost = 3;

/** Refuses invitations for more people than `invitedAtMost`. Concurrent requests of the person wait for the lock. */
export async function refuseManyInvites(tx: Tx, userId: number, at: number, seats: number): Promise<void> {
  await lockPerson(tx, userId);
  const { made } = await tx.db
    .selectFrom('invites')
    .select((eb) => eb.cast<number>(eb.fn.coalesce(eb.fn.sum('seats'), sql.lit(0)), 'bigint').as('made'))
    .where('made_by', '=', userId)
    .where('created_at', '>', at - undoSeconds)
    .executeTakeFirstOrThrow();
  if (made + seats > invitedAtMost)
    await refuseWhileUndoable(tx, userId, at, `Приглашать больше ${invitedAtMost} человек`);
}

export interface Acting {
  request: FastifyRequest;
  body?: { reason?: string };
}

interface ActingOnPerson extends Acting {
  params: { username: string };
}

interface Named {
  id: number;
  by: By;
}

/** The moderator is read in the transaction of the act, so somebody who has just lost the role gets NOT_FOUND. */
export function makeActor({ config, now }: Pick<DeskOptions, 'config' | 'now'>) {
  const budgets = writingBudgets(config);

  const actor = {
    /** Spends one act from the moderator's budget. */
    async by(tx: Tx, { request, body }: Acting, budget: Budget = 'acts'): Promise<By> {
      const { userId } = callerOf(request);
      const operator = orNotFound(await moderatorName(tx.db, userId));
      const reason = body?.reason === undefined ? '' : acceptText(body.reason);
      await spendOrRefuse(tx, budgets[budget](userId), now(), tooManyActs);
      return { at: now(), operator, moderatorId: userId, reason };
    },

    /** Refuses acts that need a fresh code. */
    async requireCode(tx: Tx, request: FastifyRequest): Promise<void> {
      if (!(await isConfirmed(tx.db, sessionCallerOf(request).sessionId, now()))) throw apiErrorOf('unconfirmed');
    },

    /** Finds the person in the transaction of an act. */
    async named(tx: Tx, acting: ActingOnPerson, budget: Budget = 'acts'): Promise<Named | Refusal<'missing'>> {
      const by = await actor.by(tx, acting, budget);
      const user = await findUser(tx.db, acting.params.username);
      return user ? { id: Number(user.id), by } : { refused: 'missing' };
    },
  };
  return actor;
}

type Actor = ReturnType<typeof makeActor>;

export interface DeskOptions extends Pick<SessionOptions, 'db' | 'config' | 'secrets'> {
  actor: Actor;
  /** Unix seconds. */
  now: () => number;
}

/** The key in a cursor of a list in the order of ids. */
export function keyOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const key = parseId(cursor);
  if (key === undefined) throw new ApiError('INVALID_REQUEST');
  return key;
}

interface Page<Row> {
  rows: Row[];
  next: string | null;
}

/** Reads one row more than the page holds, to know whether there is a next page. */
export async function pageOf<Row>(
  query: { limit?: string },
  read: (limit: number) => Promise<Row[]>,
  cursorOf: (row: Row) => string,
): Promise<Page<Row>> {
  const limit = limitOf(query);
  const rows = await read(limit + 1);
  const shown = rows.slice(0, limit);
  return { rows: shown, next: rows.length > shown.length ? cursorOf(shown.at(-1)!) : null };
}
