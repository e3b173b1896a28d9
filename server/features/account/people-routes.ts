import type { FastifyInstance } from 'fastify';
import { type CompiledQuery, type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { type ListedPerson, peoplePerPage } from '#contract/account.ts';
import { limitOf, limits, serverLimits } from '#contract/limits.ts';
import { displayNameKey, normalizeDisplayName } from '#contract/profile-text.ts';
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
 * People with a name that begins as typed are looked for among this many people who come next in the list. If these do not fill the
 * page, up to `sortedAtMost` usernames and display names that fit are read and sorted. Both bound the rows that a page reads.
 */
const walkedAtOnce = 2_000;
const sortedAtMost = 1_000;

/** A place in the list. People who have not written have the post 0. */
interface Place {
  id: number;
  last_post_id: number;
}

const top: Place = { id: Number.MAX_SAFE_INTEGER, last_post_id: Number.MAX_SAFE_INTEGER };

/** The words are those of the index `users_by_last_post`. */
const isListed = sql<SqlBool>`${isNotDeleted('u')} and ${isNotBlocked('u')} and not ${isUnclaimed('u')}`;

const beginsWith = (key: string, from: string) =>
  sql<SqlBool>`substr(${sql.ref(key)}, 1, length(cast(${from} as text))) = ${from}`;

type Slots = Place & { from: string; limit: number };
type Slot = <Name extends keyof Slots>(name: Name) => Slots[Name];
type After = (db: Kysely<Schema>, slot: Slot, limit: RawBuilder<number>) => ReturnType<typeof selectListed>;

const selectListed = (db: Kysely<Schema>, isAfter: RawBuilder<SqlBool>, limit: RawBuilder<number>) =>
  db
    .selectFrom('users as u')
    .select(['u.id', 'u.last_post_id', 'u.username_key', 'u.display_key'])
    .where(isListed)
    .where(isAfter)
    .orderBy('u.last_post_id', 'desc')
    .orderBy('u.id', 'desc')
    .limit(limit);

/** Only people who have not written share a post. SQLite would not find a pair of post and id by the index. */
const afterWriter: After = (db, slot, limit) => selectListed(db, sql`u.last_post_id < ${slot('last_post_id')}`, limit);
const afterSilent: After = (db, slot, limit) =>
  selectListed(db, sql`u.last_post_id = 0 and u.id < ${slot('id')}`, limit);

/** A query about the people who come after a place. */
function queryAfter(make: (db: Kysely<Schema>, slot: Slot, after: After) => { compile(): CompiledQuery<Place> }) {
  const [writer, silent] = [afterWriter, afterSilent].map((after) =>
    prepared<Slots, Place>((db, slot) => make(db, slot, after)),
  );
  return (db: Kysely<Schema>, slots: Slots) => (slots.last_post_id > 0 ? writer! : silent!)(db, slots);
}

const next = queryAfter((db, slot, after) => after(db, slot, sql`${slot('limit')} + 0`));

const walked = sql<number>`${sql.lit(walkedAtOnce)}`;

const nextNamed = queryAfter((db, slot, after) =>
  db
    .selectFrom(after(db, slot, walked).as('u'))
    .select(['u.id', 'u.last_post_id'])
    .where((eb) => eb.or([beginsWith('u.username_key', slot('from')), beginsWith('u.display_key', slot('from'))]))
    .orderBy('u.last_post_id', 'desc')
    .orderBy('u.id', 'desc')
    .limit(sql<number>`${slot('limit')} + 0`),
);

/** The last of the people among whom `nextNamed` looks. Nobody if the list ends before. */
const lastWalked = queryAfter((db, slot, after) =>
  after(db, slot, sql`1`).offset(sql<number>`${sql.lit(walkedAtOnce - 1)}`),
);

const namedFrom = (column: 'username_key' | 'display_key', engine: Database['engine']) =>
  prepared<{ from: string }, Place & { is_listed: SqlBool }>((db, slot) =>
    db
      .selectFrom(namesFrom(db, { column, engine, from: slot('from'), atMost: sortedAtMost }))
      .innerJoin('users as u', 'u.id', 'n.id')
      .select(['u.id', 'u.last_post_id', isListed.as('is_listed')])
      .where(beginsWith('n.key', slot('from'))),
  );

const byName = {
  sqlite: [namedFrom('username_key', 'sqlite'), namedFrom('display_key', 'sqlite')],
  postgres: [namedFrom('username_key', 'postgres'), namedFrom('display_key', 'postgres')],
};

const inOrder = (one: Place, other: Place): number => other.last_post_id - one.last_post_id || other.id - one.id;

type Source = Pick<Database, 'read' | 'engine'>;

/** All people with a name that begins so, in the order of the list. Undefined if they are too many. */
async function findNamed({ read, engine }: Source, from: string): Promise<Place[] | undefined> {
  const named = await Promise.all(byName[engine].map((query) => query(read, { from })));
  if (named.some((rows) => rows.length === sortedAtMost)) return undefined;
  const listed = named.flat().filter((row) => row.is_listed);
  return [...new Map(listed.map((row) => [row.id, row])).values()].toSorted(inOrder);
}

interface Listing {
  /** The key of the beginning of a name; empty for everybody. */
  from: string;
  after: Place;
  limit: number;
}

/** The part of the list after a place. It continues after `end`. */
export async function findPlaces(
  db: Source,
  { from, after, limit }: Listing,
): Promise<{ rows: Place[]; end: Place | undefined }> {
  const slots = { ...after, from, limit: limit + 1 };
  let found = await (from === '' ? next : nextNamed)(db.read, slots);
  let end: Place | undefined;
  if (from !== '' && found.length <= limit) {
    const named = await findNamed(db, from);
    if (named) found = named.filter((place) => inOrder(after, place) < 0);
    else [end] = await lastWalked(db.read, slots);
  }
  const rows = found.slice(0, limit);
  return { rows, end: found.length > limit ? rows.at(-1) : end };
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
  const isNew = until !== null && until > now && until - now <= serverLimits.newHereSeconds;
  return {
    id: String(id),
    ...shownNames(row),
    about,
    ...(isNew && { newcomer_until: until }),
    ...(isNew && first !== null && { first_post_id: String(first) }),
    wrote: wroteWhen(at, now),
  };
}

/** The key by which names are compared with what was typed. */
function acceptName(typed: string): string {
  const line = normalizeDisplayName(typed);
  if (!line.ok) throw new ApiError('INVALID_REQUEST', { message: line.reason });
  return displayNameKey(line.text ?? '');
}

function readCursor(cursor: string): Place | undefined {
  const [last = NaN, id = NaN] = /^\d{1,16}-\d{1,16}$/.test(cursor) ? cursor.split('-').map(Number) : [];
  return Number.isSafeInteger(last) && Number.isSafeInteger(id) ? { last_post_id: last, id } : undefined;
}

interface PeopleOptions {
  db: Database;
  /** Unix seconds. */
  now: () => number;
}

export function peopleRoutes(app: FastifyInstance, { db, now }: PeopleOptions): void {
  serve(app, 'GET /users', async ({ query: { q = '', limit = String(peoplePerPage), cursor } }) => {
    const after = cursor === undefined ? top : orInvalid(readCursor(cursor));
    const { rows, end } = await findPlaces(db, { from: acceptName(q), after, limit: limitOf({ limit }) });
    const ids = rows.map(({ id }) => id);
    const shown = await shownAmong(db.read, ids, { now: now() });
    const people = new Map(shown.map((row) => [row.id, toPerson(row, now())]));
    return { people: ids.flatMap((id) => people.get(id) ?? []), next: end ? `${end.last_post_id}-${end.id}` : null };
  });
}
