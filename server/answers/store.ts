import { type Kysely, sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';
import { recordReading } from '../events/store.ts';

export interface Answer {
  /** Who was answered. */
  userId: number;
  postId: number;
  authorId: number;
}

const takeNumber = prepared<{ userId: number }, { answers_made: number }>((db, slot) =>
  db
    .updateTable('users')
    .set((eb) => ({ answers_made: eb('answers_made', '+', 1), answers_count: eb('answers_count', '+', 1) }))
    .where('id', '=', slot('userId'))
    .returning('answers_made'),
);

const insertAnswer = prepared<Answer & { no: number }, never>((db, slot) =>
  db.insertInto('answers').values({
    user_id: slot('userId'),
    no: slot('no'),
    post_id: slot('postId'),
    author_id: slot('authorId'),
  }),
);

/** Numbers an answer under the row of the person it is for, which is held till the end of the transaction. */
export async function addAnswer({ db }: Tx, answer: Answer): Promise<void> {
  const [row] = await takeNumber(db, answer);
  await insertAnswer(db, { ...answer, no: row!.answers_made });
}

const deleteAnswer = prepared<{ postId: number }, { user_id: number }>((db, slot) =>
  db.deleteFrom('answers').where('post_id', '=', slot('postId')).returning('user_id'),
);

const countAnswers = prepared<{ userId: number; change: number }, never>((db, slot) =>
  db
    .updateTable('users')
    .set((eb) => ({ answers_count: eb('answers_count', '+', slot('change')) }))
    .where('id', '=', slot('userId')),
);

/** Resolves to whom the reply answered, unless that was its own author. */
export async function removeAnswer({ db }: Tx, postId: number): Promise<number | undefined> {
  const [answer] = await deleteAnswer(db, { postId });
  if (answer) await countAnswers(db, { userId: answer.user_id, change: -1 });
  return answer?.user_id;
}

/** Puts an answer back under its own number: what was read is not news again. */
export async function putAnswerBack({ db }: Tx, answer: Answer & { no: number }): Promise<void> {
  await insertAnswer(db, answer);
  await countAnswers(db, { userId: answer.userId, change: 1 });
}

/** Nobody reads a larger number than that there are many. */
const countedTo = 1_000;

const unread = prepared<{ userId: number }, { n: number }>((db, slot) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('answers as a')
        .select('a.no')
        .where('a.user_id', '=', slot('userId'))
        .where('a.no', '>', (of) => of.selectFrom('users').select('answers_read').where('id', '=', slot('userId')))
        .where((of) =>
          of.not(
            of.exists(
              of
                .selectFrom('mutes as m')
                .select('m.muted_id')
                .whereRef('m.user_id', '=', 'a.user_id')
                .whereRef('m.muted_id', '=', 'a.author_id'),
            ),
          ),
        )
        .limit(sql<number>`${sql.lit(countedTo)}`)
        .as('unread'),
    )
    .select((eb) => eb.fn.countAll<number>().as('n')),
);

/** How many answers a person has not read, those of muted authors left out; beyond a thousand nobody counts. */
export async function countUnread(db: Kysely<Schema>, userId: number): Promise<number> {
  const [row] = await unread(db, { userId });
  return row!.n;
}

const numberOf = prepared<{ userId: number; postId: number }, { no: number }>((db, slot) =>
  db.selectFrom('answers').select('no').where('post_id', '=', slot('postId')).where('user_id', '=', slot('userId')),
);

const readTo = prepared<{ userId: number; no: number }, { id: number }>((db, slot) =>
  db
    .updateTable('users')
    .set({ answers_read: slot('no') })
    .where('id', '=', slot('userId'))
    .where('answers_read', '<', slot('no'))
    .returning('id'),
);

/** Notes that a person has read up to an answer; what was read stays read. False when it is no answer to them. */
export async function readUpTo(tx: Tx, userId: number, postId: number, now: number): Promise<boolean> {
  const [answer] = await numberOf(tx.db, { userId, postId });
  if (!answer) return false;
  const [moved] = await readTo(tx.db, { userId, no: answer.no });
  if (moved) await recordReading(tx, userId, now);
  return true;
}
