import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import type { CarriedPart, CarriedPost } from '#contract/carried.ts';
import type { QuotedPost } from '#contract/posts.ts';
import type { Database } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotBlocked } from '../../db/visibility.ts';
import { nameMentioned } from '../../names/mentioned.ts';
import { selectAuthored, toQuoted } from '../posts/post-rows.ts';

const compress = promisify(gzip);

/** Posts of one file. A phone opens this many in some seconds. */
const postsAtMost = 300_000;

/** What is wrong with this number of posts; undefined if one file has room for them. */
export const tooMany = (count: number): string | undefined =>
  count > postsAtMost
    ? `Записей слишком много для одного файла: ${count}, а помещается ${postsAtMost}. Уносите их по годам.`
    : undefined;

/** Posts in a part of the file. */
const batch = 1_000;

export interface CarryScope {
  /** Whose posts; null: everybody's. */
  ofId: number | null;
  /** Whether the discussions around the posts are taken too. */
  withOthers: boolean;
  year: number | null;
}

/** The posts of a carried wall: shown ones whose authors are not blocked. */
function selectCarried(db: Kysely<Schema>, { ofId, withOthers, year }: CarryScope) {
  const start = (of: number): number => Date.UTC(of, 0) / 1_000;
  return selectAuthored(db)
    .select(['p.parent_post_id', 'p.replied_post_id'])
    .where(isNotBlocked('u'))
    .$if(ofId !== null && !withOthers, (query) => query.where('p.user_id', '=', ofId))
    .$if(ofId !== null && withOthers, (query) =>
      query.where(
        sql<boolean>`coalesce(p.parent_post_id, p.id) in (select coalesce(parent_post_id, id) from posts where user_id = ${ofId})`,
      ),
    )
    .$if(year !== null, (query) =>
      query.where('p.created_at', '>=', start(year!)).where('p.created_at', '<', start(year! + 1)),
    );
}

export async function countCarried(db: Database, scope: CarryScope): Promise<number> {
  const query = selectCarried(db.read, scope)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('n'));
  const [row] = await db.longRead(query);
  return row!.n;
}

function packed(posts: readonly QuotedPost[]): CarriedPart {
  const people = new Map<string, CarriedPart['people'][number] & { index: number }>();
  const packedPosts = posts.map(({ id, owner, created_at: at, text, mentions, is_modified: isModified, actions }) => {
    const { newcomer_until: _, ...person } = owner;
    if (!people.has(person.id)) people.set(person.id, { ...person, index: people.size });
    const post: CarriedPost = { id, by: people.get(person.id)!.index, at, text };
    if (mentions) post.mentions = mentions;
    if (isModified) post.isModified = true;
    if (actions.replied_post_id !== null) {
      post.to = actions.replied_post_id;
      post.root = actions.parent_post_id ?? actions.replied_post_id;
    }
    return post;
  });
  return { people: [...people.values()].map(({ index: _, ...person }) => person), posts: packedPosts };
}

export interface MadePart {
  part: string;
  posts: number;
  /** The next part has older posts than this one. */
  belowId: number;
}

/** The posts below `belowId`, the newest first, as a part of the file. Undefined if there are none. */
export async function makePart(db: Database, scope: CarryScope, belowId: number | null): Promise<MadePart | undefined> {
  const query = selectCarried(db.read, scope)
    .$if(belowId !== null, (posts) => posts.where('p.id', '<', belowId!))
    .orderBy('p.id', 'desc')
    .limit(batch);
  const rows = await db.longRead(query);
  if (rows.length === 0) return undefined;
  const posts = rows.map(toQuoted);
  await nameMentioned(db.read, posts);
  const part = (await compress(JSON.stringify(packed(posts)))).toString('base64');
  return { part, posts: rows.length, belowId: rows.at(-1)!.id };
}
