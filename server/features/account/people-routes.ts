import type { FastifyInstance } from 'fastify';
import { type Selectable, type SqlBool, sql } from 'kysely';
import { type ListedPerson, peoplePerPage } from '#contract/account.ts';
import { limitOf, limits } from '#contract/limits.ts';
import { displayNameKey, isNamedLike, normalizeDisplayName } from '#contract/profile-text.ts';
import type { Database } from '../../db/database.ts';
import { prepared, preparedAmong } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import { orInvalid, serve } from '../../http/serve.ts';
import { shownColumnsOfU, shownNames } from '../../names/shown-names.ts';
import { isUnclaimed } from '../moderation/claims.ts';
import { namesFrom } from './suggestion-routes.ts';

/**
 * Maximum number of names that begin as typed and are sorted by last posts. If more people fit, they are looked for among the people
 * who come next in the list, `walkedAtOnce` at a time. Together they bound the rows that a page reads.
 */
const sortedAtMost = 1_000;
const walkedAtOnce = 3_000;

/** A place in the list. People who have not written have the post 0. */
interface Place {
  id: number;
  last_post_id: number;
}

const top: Place = { id: Number.MAX_SAFE_INTEGER, last_post_id: Number.MAX_SAFE_INTEGER };

type Row = Place & Pick<Selectable<Schema['users']>, 'username' | 'display_name'>;

/** The words are those of the index `users_by_last_post`. */
const isListed = sql<SqlBool>`${isNotDeleted('u')} and ${isNotBlocked('u')} and not ${isUnclaimed('u')}`;

const walk = prepared<Place & { limit: number }, Row>((db, slot) =>
  db
    .selectFrom('users as u')
    .select(['u.id', 'u.last_post_id', 'u.username', 'u.display_name'])
    .where(isListed)
    .where(sql<SqlBool>`(u.last_post_id, u.id) < (${slot('last_post_id')}, ${slot('id')})`)
    .orderBy('u.last_post_id', 'desc')
    .orderBy('u.id', 'desc')
    .limit(sql<number>`${slot('limit')} + 0`),
);

const namedFrom = (column: 'username_key' | 'display_key', engine: Database['engine']) =>
  prepared<{ from: string }, Row & { is_listed: SqlBool }>((db, slot) =>
    db
      .selectFrom(namesFrom(db, { column, engine, from: slot('from'), atMost: sortedAtMost }))
      .select(['u.id', 'u.last_post_id', 'u.username', 'u.display_name', isListed.as('is_listed')])
      .orderBy('u.key')
      .orderBy('u.id'),
  );

const byName = {
  sqlite: [namedFrom('username_key', 'sqlite'), namedFrom('display_key', 'sqlite')],
  postgres: [namedFrom('username_key', 'postgres'), namedFrom('display_key', 'postgres')],
};

const inOrder = (one: Place, other: Place): number => other.last_post_id - one.last_post_id || other.id - one.id;

type Source = Pick<Database, 'read' | 'engine'>;

/** The people with a name like this, in the order of the list. Undefined if they are too many. */
async function findNamed({ read, engine }: Source, typed: string): Promise<Row[] | undefined> {
  const from = displayNameKey(typed);
  const named = await Promise.all(byName[engine].map((query) => query(read, { from })));
  if (named.some((rows) => rows.length === sortedAtMost && isNamedLike(rows.at(-1)!, typed))) return undefined;
  const found = named.flat().filter((row) => row.is_listed && isNamedLike(row, typed));
  return [...new Map(found.map((row) => [row.id, row])).values()].toSorted(inOrder);
}

interface Listing {
  /** The beginning of a name, in any case; empty for everybody. */
  typed: string;
  after: Place;
  limit: number;
}

/** The part of the list after a place. It continues after `next`. */
async function findPlaces(db: Source, { typed, after, limit }: Listing): Promise<{ rows: Row[]; next: Place | null }> {
  const named = typed === '' ? undefined : await findNamed(db, typed);
  if (named)
    return partOf(
      named.filter((row) => inOrder(after, row) < 0),
      limit,
    );
  const atOnce = typed === '' ? limit + 1 : walkedAtOnce;
  const walked = await walk(db.read, { ...after, limit: atOnce });
  const { rows, next } = partOf(
    walked.filter((row) => isNamedLike(row, typed)),
    limit,
  );
  return { rows, next: next ?? (walked.length === atOnce ? walked.at(-1)! : null) };
}

function partOf(found: Row[], limit: number): { rows: Row[]; next: Place | null } {
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? rows.at(-1)! : null };
}

type Shown = Pick<Selectable<Schema['users']>, 'username' | 'display_name' | 'face' | 'is_namesake' | 'about'> & {
  id: number;
  newcomer_until: number | null;
  wrote_at: number | null;
  first_post_id: number | null;
};

/** PostgreSQL uses the index by author only if the order contains the author. */
const firstPost = sql<number | null>`(
  select p.id from posts p where p.user_id = u.id and p.replied_post_id is null order by p.user_id, p.id limit 1
)`;

const shownAmong = preparedAmong<number, Shown, { now: number }>([peoplePerPage, limits.pageSizeMax], (db, ids, slot) =>
  db
    .selectFrom('users as u')
    .leftJoin('posts as l', 'l.id', 'u.last_post_id')
    .select(['u.id', ...shownColumnsOfU, 'u.about', 'u.newcomer_until', 'l.created_at as wrote_at'])
    .select(sql<number | null>`case when u.newcomer_until > ${slot('now')} then ${firstPost} end`.as('first_post_id'))
    .where('u.id', 'in', ids)
    .where(isListed),
);

const daySeconds = 24 * 3_600;

/** Days are counted back from now: the wall knows nobody's time zone. */
function wroteWhen(at: number | null, now: number): ListedPerson['wrote'] {
  if (at === null) return null;
  if (at > now - daySeconds) return 'today';
  return at > now - 7 * daySeconds ? 'week' : 'earlier';
}

function toPerson(row: Shown, now: number): ListedPerson {
  const { id, about, newcomer_until: until, first_post_id: first, wrote_at: at } = row;
  // A time further ahead was recorded by a clock that was ahead.
  const isNew = until !== null && until > now && until - now <= limits.newHereSeconds;
  return {
    id: String(id),
    ...shownNames(row),
    about,
    ...(isNew && { newcomer_until: until }),
    ...(isNew && first !== null && { first_post_id: String(first) }),
    wrote: wroteWhen(at, now),
  };
}

function accept(q: string): string {
  const line = normalizeDisplayName(q);
  if (!line.ok) throw new ApiError('INVALID_REQUEST', { message: line.reason });
  return line.text ?? '';
}

function readCursor(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return top;
  const [last = NaN, id = NaN] = /^\d{1,16}-\d{1,16}$/.test(cursor) ? cursor.split('-').map(Number) : [];
  return Number.isSafeInteger(last) && Number.isSafeInteger(id) ? { last_post_id: last, id } : undefined;
}

export function peopleRoutes(
  app: FastifyInstance,
  { db, now }: { db: Database; /** Unix seconds. */ now: () => number },
): void {
  serve(app, 'GET /users', async ({ query: { q = '', limit = String(peoplePerPage), cursor } }) => {
    const listing = { typed: accept(q), after: orInvalid(readCursor(cursor)), limit: limitOf({ limit }) };
    const { rows, next } = await findPlaces(db, listing);
    const shown = await shownAmong(
      db.read,
      rows.map(({ id }) => id),
      { now: now() },
    );
    const byId = new Map(shown.map((row) => [row.id, toPerson(row, now())]));
    return {
      people: rows.flatMap(({ id }) => byId.get(id) ?? []),
      next: next && `${next.last_post_id}-${next.id}`,
    };
  });
}
