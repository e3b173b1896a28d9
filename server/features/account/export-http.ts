import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type * as schema from '#contract/account.schema.ts';
import type { CallOf } from '#contract/endpoint.ts';
import type { SessionOptions } from '../sessions/http.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { ApiError } from '../../http/api-error.ts';
import { spendOrRefuse } from '../../limits/http.ts';
import { writingBudgets } from '../../limits/writing-budgets.ts';
import { listTokensOf } from '../api-tokens/store.ts';
import { notificationSettingsOf } from '../notifications/follows.ts';
import { nameOf } from '../reading/rules.ts';
import { removedPostsAfter } from '../posts/removed-posts.ts';
import { storedColumns, toWritten } from '../posts/rows.ts';
import { findConsents } from '../sign-in/store.ts';

type Export = CallOf<typeof schema.exportAccount>['reply'];

/** Rows per query. The next rows are read when these have been sent. */
const batch = 100;
const oneBatch = sql<number>`${sql.lit(batch)}`;
const retrySeconds = 10;

/** One person's rows in the order of their ids. */
interface RowsAfter {
  userId: number;
  after: number;
}

const written = (db: Kysely<Schema>) => db.selectFrom('posts').select(storedColumns).orderBy('id');

type WrittenRow = Awaited<ReturnType<ReturnType<typeof written>['execute']>>[number];

const postsAfter = prepared<RowsAfter, WrittenRow>((db, slot) =>
  written(db)
    .where('replied_post_id', 'is', null)
    .where('user_id', '=', slot('userId'))
    .where('id', '>', slot('after'))
    .limit(oneBatch),
);

const repliesAfter = prepared<RowsAfter, WrittenRow>((db, slot) =>
  written(db)
    .where('replied_post_id', 'is not', null)
    .where('user_id', '=', slot('userId'))
    .where('id', '>', slot('after'))
    .limit(oneBatch),
);

interface LikeRow {
  id: number;
  post_id: number;
  created_at: number;
}

const likesAfter = prepared<RowsAfter, LikeRow>((db, slot) =>
  db
    .selectFrom('likes')
    .select(['id', 'post_id', 'created_at'])
    .where('user_id', '=', slot('userId'))
    .where('id', '>', slot('after'))
    .orderBy('id')
    .limit(oneBatch),
);

const bookmarksAfter = prepared<RowsAfter, LikeRow>((db, slot) =>
  db
    .selectFrom('bookmarks')
    .select(['id', 'post_id', 'created_at'])
    .where('user_id', '=', slot('userId'))
    .where('id', '>', slot('after'))
    .orderBy('id')
    .limit(oneBatch),
);

interface PositionRow {
  /** The list after the position's own. */
  id: number;
  list: number;
  post_id: number;
  updated_at: number;
}

const positionsFrom = prepared<RowsAfter, PositionRow>((db, slot) =>
  db
    .selectFrom('reading_positions')
    .select((eb) => [eb('list', '+', 1).as('id'), 'list', 'post_id', 'updated_at'])
    .where('user_id', '=', slot('userId'))
    .where('list', '>=', slot('after'))
    .orderBy('list')
    .limit(oneBatch),
);

interface FollowRow {
  id: number;
  following: number;
}

const followsAfter = prepared<RowsAfter, FollowRow>((db, slot) =>
  db
    .selectFrom('follows')
    .select(['root_post_id as id', 'following'])
    .where('user_id', '=', slot('userId'))
    .where('root_post_id', '>', slot('after'))
    .orderBy('root_post_id')
    .limit(oneBatch),
);

/** A person's own data as one JSON file: five times an hour, one file at a time. */
export function makeExports({ db, config, now }: SessionOptions): (userId: number) => Promise<Readable> {
  const budgets = writingBudgets(config);
  /** The people to whom this process is sending a file. */
  const running = new Set<number>();

  return async (userId) => {
    if (running.has(userId)) {
      const message = 'Ваши данные уже скачиваются. Дождитесь конца этой загрузки.';
      throw new ApiError('TOO_MANY_REQUESTS', { message, retryAfter: retrySeconds, limit: 'exports' });
    }
    running.add(userId);
    try {
      await db.tx((tx) => spendOrRefuse(tx, budgets.exports(userId), now(), tooOften));
      const { id, role, ...row } = await db.read
        .selectFrom('users')
        .select(['id', 'username', 'display_name', 'about', 'email', 'created_at', 'role'])
        .where('id', '=', userId)
        .executeTakeFirstOrThrow();
      const account = { id: String(id), ...row, ...(role && { role }) };
      const file = Readable.from(fileParts(db.read, account, now()));
      let isRunning = true;
      const release = () => {
        if (isRunning) running.delete(userId);
        isRunning = false;
      };
      // A client that has read everything may send the next request before the stream is closed.
      return file.once('end', release).once('close', release);
    } catch (error) {
      running.delete(userId);
      throw error;
    }
  };
}

const tooOften = 'Скачать свои данные можно пять раз в час. Попробуйте позже.';

/** The parts of the file. A failed query ends them early, which aborts the connection. */
async function* fileParts(db: Kysely<Schema>, account: Export['account'], now: number): AsyncGenerator<string> {
  const userId = Number(account.id);
  yield `{"account":${JSON.stringify(account)},"posts":[`;
  yield* items((after) => postsAfter(db, { userId, after }), toWritten);
  yield '],"replies":[';
  yield* items((after) => repliesAfter(db, { userId, after }), toReply);
  yield '],"likes":[';
  yield* items((after) => likesAfter(db, { userId, after }), toLike);
  yield '],"bookmarks":[';
  yield* items((after) => bookmarksAfter(db, { userId, after }), toLike);
  yield '],"removed":[';
  yield* items(
    (after) => removedPostsAfter(db, { userId, after, limit: batch }),
    (post): Export['removed'][number] => post,
  );
  yield '],"reading":[';
  yield* items((after) => positionsFrom(db, { userId, after }), toReading);
  yield `],"notifications":${JSON.stringify(await notificationSettingsOf(db, userId))},"follows":[`;
  yield* items((after) => followsAfter(db, { userId, after }), toFollow);
  const tokens: Export['tokens'] = (await listTokensOf(db, userId, now)).map(({ id: _, ...token }) => token);
  yield `],"tokens":${JSON.stringify(tokens)},"consents":${JSON.stringify(await findConsents(db, userId))}}`;
}

async function* items<Row extends { id: number | string }>(
  read: (after: number) => Promise<Row[]>,
  toItem: (row: Row) => object,
): AsyncGenerator<string> {
  for (let after = 0; ;) {
    const rows = await read(after);
    if (rows.length > 0) yield (after > 0 ? ',' : '') + rows.map((row) => JSON.stringify(toItem(row))).join(',');
    if (rows.length < batch) return;
    after = Number(rows.at(-1)!.id);
    // Gives other requests a turn even if this client reads fast.
    await setImmediate();
  }
}

const toReply = (row: WrittenRow): Export['replies'][number] => ({
  ...toWritten(row),
  replied_post_id: String(row.replied_post_id),
});

const toLike = ({ post_id, created_at }: LikeRow): Export['likes'][number] => ({
  post_id: String(post_id),
  created_at,
});

const toFollow = ({ id, following }: FollowRow): Export['follows'][number] => ({
  post_id: String(id),
  following: following === 1,
});

const toReading = ({ list, post_id, updated_at }: PositionRow): Export['reading'][number] => ({
  list: nameOf(list),
  post_id: String(post_id),
  updated_at,
});
