import type { FastifyInstance } from 'fastify';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import type { ModeratedPerson } from '#contract/moderation-people.ts';
import { latinName } from '#contract/profile-text.ts';
import { isUsername, usernameKey } from '#contract/username.ts';
import type { Database } from '../../../db/database.ts';
import type { Schema } from '../../../db/schema.ts';
import { isNotDeleted } from '../../../db/visibility.ts';
import { ApiError } from '../../../http/thrown-api-error.ts';
import { orNotFound, serve } from '../../../http/serve.ts';
import { shownColumnsOfU, shownNames } from '../../../names/shown-names.ts';
import { findUser } from '../../account/account-store.ts';
import { spendingIn } from '../../sessions/session-http.ts';
import { claimCode, isUnclaimed } from '../claims.ts';
import { readWarning } from '../person-acts.ts';
import { type DeskOptions, keyOf, pageOf } from './desk-http.ts';

/** People beyond this number are not counted. */
const countedAtMost = 1_000;

interface Listing {
  /** Beginning of the username. With it the list is in the order of the usernames. */
  prefix?: string | undefined;
  only: 'all' | 'blocked' | 'imported';
  limit: number;
  /** The last person of the previous page. */
  after?: { id: number } | { name: string } | undefined;
}

/** People, the newest first; with `prefix` in the order of their usernames. */
async function listPeople(
  { read, engine }: Pick<Database, 'read' | 'engine'>,
  { prefix, only, limit, after }: Listing,
): Promise<PersonRow[]> {
  // PostgreSQL sorts text by the rules of a language unless another order is named.
  const key = engine === 'postgres' ? sql<string>`u.username_key collate "C"` : sql<string>`u.username_key`;
  const begin = prefix === undefined ? undefined : usernameKey(prefix);
  const rows = await selectPeople(read)
    .$if(only === 'blocked', (query) => query.where('u.blocked_at', 'is not', null))
    .$if(only === 'imported', (query) => query.where(isUnclaimed('u')))
    // `~` sorts after every character of a username, so this is the end of the range of names with the prefix.
    .$if(begin !== undefined, (query) => query.where(key, '>=', begin!).where(key, '<', `${begin}~`))
    .$if(after !== undefined && 'name' in after, (query) => query.where(key, '>', (after as { name: string }).name))
    .$if(after !== undefined && 'id' in after, (query) => query.where('u.id', '<', (after as { id: number }).id))
    .$if(begin !== undefined, (query) => query.orderBy(key))
    .$if(begin === undefined, (query) => query.orderBy('u.id', 'desc'))
    .limit(limit)
    .execute();
  return rows.map(toPerson);
}

export async function findModeratedPerson(db: Kysely<Schema>, id: number): Promise<PersonRow | undefined> {
  const row = await selectPeople(db).where('u.id', '=', id).executeTakeFirst();
  return row && toPerson(row);
}

const selectPeople = (db: Kysely<Schema>) =>
  db
    .selectFrom('users as u')
    .select(['u.id', ...shownColumnsOfU, 'u.created_at', 'u.posts_count', 'u.replies_count', 'u.role'])
    .select(['u.blocked_at', 'u.block_reason', 'u.blocked_until', 'u.warning', isUnclaimed('u').as('is_unclaimed')])
    .select((eb) => [removedPosts(eb).as('removed_posts'), openReports(eb).as('open_reports')])
    .where(isNotDeleted('u'));

type OfPerson = ExpressionBuilder<Schema & { u: Schema['users'] }, 'u'>;

const removedPosts = (eb: OfPerson) =>
  eb
    .selectFrom((inner) =>
      inner
        .selectFrom('removed_posts as r')
        .select('r.id')
        .whereRef('r.user_id', '=', 'u.id')
        .limit(countedAtMost)
        .as('removed'),
    )
    .select((inner) => inner.fn.countAll<number>().as('n'));

const openReports = (eb: OfPerson) =>
  eb
    .selectFrom((inner) =>
      inner
        .selectFrom('reports as r')
        .select('r.id')
        .whereRef('r.owner_id', '=', 'u.id')
        .where('r.settled_at', 'is', null)
        .limit(countedAtMost)
        .as('open'),
    )
    .select((inner) => inner.fn.countAll<number>().as('n'));

type Row = Awaited<ReturnType<ReturnType<typeof selectPeople>['execute']>>[number];

/** A person without the link to claim the account, which depends on the secret. */
type PersonRow = Omit<ModeratedPerson, 'claim_url'> & { isUnclaimed: boolean };

const toPerson = ({ id, blocked_at: at, block_reason: reason, blocked_until: until, ...row }: Row): PersonRow => ({
  id: String(id),
  isUnclaimed: Boolean(row.is_unclaimed),
  ...shownNames(row),
  created_at: row.created_at,
  posts_count: row.posts_count,
  replies_count: row.replies_count,
  role: row.role,
  blocked: at === null ? null : { at, reason: reason ?? '', until },
  warning: row.warning,
  removed_posts: Number(row.removed_posts),
  open_reports: Number(row.open_reports),
});

export function personRoutes(app: FastifyInstance, { db, config, secrets, now }: DeskOptions): void {
  const spending = spendingIn({ db, config, now });

  serve(app, 'GET /moderation/people', async ({ query }) => {
    const { q, state: only = 'all', cursor } = query;
    // The names of imported people are transliterated, so the query is transliterated too.
    const prefix = q === undefined || /^\w+$/.test(q) ? q : latinName(q, limits.usernameMax);
    if (prefix === '') return { people: [], next: null };
    const after = prefix === undefined ? idAfter(cursor) : nameAfter(cursor);
    const { rows, next } = await pageOf(
      query,
      (limit) => listPeople(db, { prefix, only, limit, after }),
      ({ id, username }) => (prefix === undefined ? id : usernameKey(username)),
    );
    return { people: rows.map(shown), next };
  });

  serve(app, 'GET /moderation/people/{username}', async ({ params }) => {
    const { id } = orNotFound(await findUser(db.read, params.username));
    return shown(orNotFound(await findModeratedPerson(db.read, Number(id))));
  });

  serve(app, 'DELETE /users/current/warning', async ({ request }) => {
    await spending(request, (tx, caller) => readWarning(tx, caller.userId, caller.now));
  });

  function shown({ isUnclaimed: isFree, ...person }: PersonRow): ModeratedPerson {
    const code = claimCode(secrets, Number(person.id));
    return { ...person, claim_url: isFree ? config.publicUrl + addresses.claim.href({ code }) : null };
  }
}

function idAfter(cursor: string | undefined): { id: number } | undefined {
  const id = keyOf(cursor);
  return id === undefined ? undefined : { id };
}

function nameAfter(cursor: string | undefined): { name: string } | undefined {
  if (cursor === undefined) return undefined;
  if (!isUsername(cursor)) throw new ApiError('INVALID_REQUEST');
  return { name: cursor };
}
