import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { ExportedData } from '#contract/account.ts';
import type { Calls } from '#contract/calls.ts';
import type { Schema } from '../../db/schema.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import { spendOrRefuse } from '../../limits/limits-http.ts';
import { writingBudgets } from '../../limits/writing-budgets.ts';
import { shownColumns, shownNames } from '../../names/shown-names.ts';
import { listTokensOf } from '../api-tokens/token-store.ts';
import { invitesMadeBy } from '../moderation/member-invites.ts';
import { notificationSettingsOf } from '../notifications/follows.ts';
import { listPendingOf } from '../posts/pending-posts.ts';
import { removedPostsAfter } from '../posts/removed-posts.ts';
import { storedColumns, toWritten } from '../posts/post-rows.ts';
import { nameOf } from '../reading/reading-store.ts';
import type { SessionOptions } from '../sessions/session-http.ts';
import { findConsents } from '../sign-in/sign-in-store.ts';
import { countRows, type Person, readRows } from './stored-rows.ts';
import { sections, storedTables } from './stored-tables.ts';

const kinds = Object.entries(storedTables).flatMap(([table, { about }]) =>
  typeof about === 'string'
    ? []
    : about.map(({ rows, ...words }) => ({ words, rows: rows && { ...rows, in: table as keyof Schema } })),
);
const inOrder = sections.flatMap((section) => kinds.filter(({ words }) => words.section === section));

/** The kinds of data stored about a person. `withRows` adds the rows of kinds that have no section of their own in the export. */
export async function listStoredData(db: Kysely<Schema>, person: Person, withRows = false): Promise<ExportedData[]> {
  const listed: ExportedData[] = [];
  for (const { words, rows } of inOrder) {
    const described = { ...words, ...(await countRows(db, rows, person)) };
    listed.push(
      withRows && rows?.columns ? { ...described, rows: await readRows(db, rows, rows.columns, person) } : described,
    );
  }
  return listed;
}

type Export = Calls['GET /users/current/export']['reply'];

/** Rows per query. The next rows are read when the previous ones have been sent. */
const batch = 100;
const retrySeconds = 10;

const writtenBy = (db: Kysely<Schema>, userId: number, areReplies: boolean) => (after: number) =>
  db
    .selectFrom('posts')
    .select(storedColumns)
    .where('replied_post_id', areReplies ? 'is not' : 'is', null)
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(batch)
    .execute();

type WrittenRow = Awaited<ReturnType<ReturnType<typeof writtenBy>>>[number];

const chosenBy = (db: Kysely<Schema>, userId: number, table: 'likes' | 'bookmarks') => (after: number) =>
  db
    .selectFrom(`${table} as c`)
    // The likes of withdrawn posts do not count.
    .$if(table === 'likes', (query) => query.innerJoin('posts as p', 'p.id', 'c.post_id'))
    .select(['c.id', 'c.post_id', 'c.created_at'])
    .where('c.user_id', '=', userId)
    .where('c.id', '>', after)
    .orderBy('c.id')
    .limit(batch)
    .execute();

type ChosenRow = Awaited<ReturnType<ReturnType<typeof chosenBy>>>[number];

/** All positions are read at once. Only the number of those in discussions without notifications is limited. */
const positionsOf = (db: Kysely<Schema>, userId: number) =>
  db
    .selectFrom('reading_positions')
    .select(['list', 'post_id', 'updated_at'])
    .where('user_id', '=', userId)
    .where('post_id', '>', 0)
    .orderBy('list')
    .execute();

type PositionRow = Awaited<ReturnType<typeof positionsOf>>[number];

const followedBy = (db: Kysely<Schema>, userId: number) => (after: number) =>
  db
    .selectFrom('follows')
    .select(['root_post_id as id', 'following'])
    .where('user_id', '=', userId)
    .where('root_post_id', '>', after)
    .orderBy('root_post_id')
    .limit(batch)
    .execute();

type FollowRow = Awaited<ReturnType<ReturnType<typeof followedBy>>>[number];

/** Streams a person's data as one JSON file. Each person may get five files an hour, one at a time. */
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
      const { id, about, email, created_at, role, ...names } = await db.read
        .selectFrom('users')
        .select(['id', ...shownColumns, 'about', 'email', 'created_at', 'role'])
        .where('id', '=', userId)
        .executeTakeFirstOrThrow();
      const account = { id: String(id), ...shownNames(names), about, email, created_at, ...(role && { role }) };
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
  yield* items(writtenBy(db, userId, false), toWritten);
  yield '],"replies":[';
  yield* items(writtenBy(db, userId, true), toReply);
  yield '],"likes":[';
  yield* items(chosenBy(db, userId, 'likes'), toChosen);
  yield '],"bookmarks":[';
  yield* items(chosenBy(db, userId, 'bookmarks'), toChosen);
  yield '],"removed":[';
  yield* items(
    (after) => removedPostsAfter(db, { userId, after, limit: batch }),
    (post): Export['removed'][number] => post,
  );
  const pending: Export['pending'] = await listPendingOf(db, userId);
  const reading = (await positionsOf(db, userId)).map(toReading);
  yield `],"pending":${JSON.stringify(pending)},"reading":${JSON.stringify(reading)},"notifications":${JSON.stringify(await notificationSettingsOf(db, userId))},"follows":[`;
  yield* items(followedBy(db, userId), toFollow);
  const tokens: Export['tokens'] = (await listTokensOf(db, userId, now)).map(({ id: _, ...token }) => token);
  yield `],"tokens":${JSON.stringify(tokens)},"invitations":[`;
  yield* items(invitesMadeBy(db, userId, batch), toInvitation);
  const kept: Export['kept'] = await listStoredData(db, { id: userId, email: account.email }, true);
  yield `],"consents":${JSON.stringify(await findConsents(db, userId))},"kept":${JSON.stringify(kept)}}`;
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

const toChosen = ({ post_id, created_at }: ChosenRow): Export['likes'][number] => ({
  post_id: String(post_id),
  created_at,
});

const toInvitation = (
  row: Awaited<ReturnType<ReturnType<typeof invitesMadeBy>>>[number],
): Export['invitations'][number] => ({
  created_at: row.created_at,
  is_open: row.seats > 0 && row.used_at === null,
  used_at: row.used_at,
  used_by: row.used_by,
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
