import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { Tx } from '../../../db/database.ts';
import { parseId } from '../../../db/parse-id.ts';
import { ApiError } from '../../../http/api-error.ts';
import { orNotFound } from '../../../http/requests.ts';
import { spendOrRefuse } from '../../../limits/http.ts';
import { writingBudgets } from '../../../limits/writing-budgets.ts';
import { findUser } from '../../account/store.ts';
import { acceptText } from '../../posts/http.ts';
import { callerOf, sessionCallerOf, type SessionOptions } from '../../sessions/http.ts';
import type { ActRefusal, By, CarryOut, Outcome } from '../journal.ts';
import type { Open, Person } from '../block-acts.ts';
import { confirmedUntil, moderatorName } from '../roles.ts';

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
  reply: { code: 'FORBIDDEN', message: 'Это ответ. Закрепить можно только запись, которая стоит в ленте.' },
  closed: { code: 'FORBIDDEN', message: 'Обсуждение закрыто. Сначала откройте его.' },
  past: { code: 'INVALID_REQUEST', message: 'Это время уже прошло. Выберите более позднее.' },
  'not undoable': { code: 'FORBIDDEN', message: 'Это решение отменить нельзя.' },
  unconfirmed: { code: 'CONFIRMATION_REQUIRED', message: 'Подтвердите, что это вы: запросите код на почту.' },
};

export const apiErrorOf = (reason: Reason): ApiError => {
  const { code, message } = responses[reason];
  return new ApiError(code, { message });
};

/** The id of the act; null when there was nothing to do. Throws what is refused. */
export function actIdOf(outcome: Outcome): string | null {
  if (!('refused' in outcome)) return String(outcome.actId);
  if (outcome.refused === 'already') return null;
  throw apiErrorOf(outcome.refused);
}

/** After it the browser says when to try again. */
const tooManyActs =
  'Слишком много решений за короткое время. Это защита на случай, если под вашим именем вошёл кто-то другой. Оператор стены может продолжить из командной строки.';

interface Acting {
  request: FastifyRequest;
  body?: { reason?: string };
}

interface ActingOnPerson extends Acting {
  params: { username: string };
}

/** The moderator is read in the transaction of the act: somebody who has lost the role since finds nothing. */
export function makeActor({ db, config, now }: Pick<DeskOptions, 'db' | 'config' | 'now'>) {
  const budgets = writingBudgets(config);

  const actor = {
    /** Spends one from the budget of the moderator. */
    async by(tx: Tx, { request, body }: Acting, budget: 'acts' | 'undos' | 'approvals' = 'acts'): Promise<By> {
      const { userId } = callerOf(request);
      const operator = orNotFound(await moderatorName(tx.db, userId));
      const reason = body?.reason === undefined ? '' : acceptText(body.reason);
      await spendOrRefuse(tx, budgets[budget](userId), now(), tooManyActs);
      return { at: now(), operator, moderatorId: userId, reason };
    },

    /** For acts that need a fresh code. */
    async isConfirmed(tx: Tx, request: FastifyRequest): Promise<boolean> {
      return (await confirmedUntil(tx.db, sessionCallerOf(request).sessionId, now())) !== null;
    },

    act: <Done extends object>(
      acting: Acting,
      work: (tx: Tx, by: By) => Promise<Outcome<Done>>,
    ): Promise<Outcome<Done>> => db.tx(async (tx) => work(tx, await actor.by(tx, acting))),

    /** Finds the person in the transaction of an act. */
    named:
      (acting: ActingOnPerson, proof?: 'code'): Open<Person> =>
      async (tx) => {
        const by = await actor.by(tx, acting);
        const user = await findUser(tx.db, acting.params.username);
        if (!user) return { refused: 'missing' };
        if (proof && !(await actor.isConfirmed(tx, acting.request))) throw apiErrorOf('unconfirmed');
        return { person: { id: Number(user.id), username: user.username }, by };
      },

    async actOnPerson(acting: ActingOnPerson, carryOut: CarryOut, proof?: 'code'): Promise<{ act_id: string | null }> {
      const outcome = await db.tx(async (tx): Promise<Outcome> => {
        const opened = await actor.named(acting, proof)(tx);
        return 'refused' in opened ? opened : carryOut(tx, opened.person.id, opened.by);
      });
      return { act_id: actIdOf(outcome) };
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

/** One row more than the page holds is read. */
export async function pageOf<Row>(
  { limit = String(limits.pageSize) }: { limit?: string },
  read: (limit: number) => Promise<Row[]>,
  cursorOf: (row: Row) => string,
): Promise<Page<Row>> {
  const rows = await read(Number(limit) + 1);
  const shown = rows.slice(0, Number(limit));
  return { rows: shown, next: rows.length > shown.length ? cursorOf(shown.at(-1)!) : null };
}
