import { type Kysely, sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';

/**
 * The feed is counted by ranges of ids of two sizes: the total takes one row per million ids, and page N is found by
 * reading a thousand counts instead of N pages.
 */
const wide = 20;
const narrow = 10;
const narrowInWide = 2 ** (wide - narrow);

const slotOf = (id: number, span: number): number => Math.floor(id / 2 ** span);

const addToSlots = prepared<{ wide: number; narrow: number; shard: number; change: number }, never>((db, slot) =>
  db
    .insertInto('feed_counts')
    .values([
      { span: wide, slot: slot('wide'), shard: slot('shard'), n: slot('change') },
      { span: narrow, slot: slot('narrow'), shard: slot('shard'), n: slot('change') },
    ])
    .onConflict((conflict) =>
      conflict
        .columns(['span', 'slot', 'shard'])
        .doUpdateSet({ n: (eb) => eb('feed_counts.n', '+', eb.ref('excluded.n')) }),
    ),
);

/** Counts a root post in (+1) or out (-1). */
export async function countRootPost({ db, shard }: Tx, id: number, change: 1 | -1): Promise<void> {
  await addToSlots(db, { wide: slotOf(id, wide), narrow: slotOf(id, narrow), shard, change });
}

const sumAll = prepared<object, { total: number }>((db) =>
  db
    .selectFrom('feed_counts')
    .select(sql<number>`cast(coalesce(sum(n), 0) as bigint)`.as('total'))
    .where('span', '=', wide),
);

export async function countFeed(db: Kysely<Schema>): Promise<number> {
  const [row] = await sumAll(db, {});
  return row!.total;
}

interface SlotCount {
  slot: number;
  n: number;
}

const slots = prepared<{ span: number; from: number; to: number }, SlotCount>((db, slot) =>
  db
    .selectFrom('feed_counts')
    .select(['slot', sql<number>`cast(sum(n) as bigint)`.as('n')])
    .where('span', '=', slot('span'))
    .where('slot', '>=', slot('from'))
    .where('slot', '<', slot('to'))
    .groupBy('slot')
    .orderBy('slot', 'desc'),
);

const nthBefore = prepared<{ before: number; skip: number }, { id: number }>((db, slot) =>
  db
    .selectFrom('posts')
    .select('id')
    .where('replied_post_id', 'is', null)
    .where('id', '<', slot('before'))
    .orderBy('id', 'desc')
    .limit(sql<number>`1`)
    .offset(slot('skip')),
);

/** The id of the root post that has exactly `skip` newer ones; undefined when there are fewer. */
export async function feedPostAt(db: Kysely<Schema>, skip: number): Promise<number | undefined> {
  const million = find(await slots(db, { span: wide, from: 0, to: Number.MAX_SAFE_INTEGER }), skip);
  if (!million) return undefined;
  const from = million.slot * narrowInWide;
  const thousand = find(await slots(db, { span: narrow, from, to: from + narrowInWide }), million.left);
  if (!thousand) return undefined;
  // Skips fewer than a thousand index entries.
  const before = (thousand.slot + 1) * 2 ** narrow;
  const [post] = await nthBefore(db, { before, skip: thousand.left });
  return post?.id;
}

const newerThan = prepared<Record<'id' | 'wide' | 'narrow' | 'nextWide' | 'nextId', number>, { n: number }>(
  (db, slot) => {
    const inSlots = db
      .selectFrom('feed_counts')
      .select(sql<number>`cast(coalesce(sum(n), 0) as bigint)`.as('n'))
      .where((eb) =>
        eb.or([
          eb('span', '=', wide).and('slot', '>', slot('wide')),
          eb('span', '=', narrow).and('slot', '>', slot('narrow')).and('slot', '<', slot('nextWide')),
        ]),
      );
    const inSlot = db
      .selectFrom('posts')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('replied_post_id', 'is', null)
      .where('id', '>', slot('id'))
      .where('id', '<', slot('nextId'));
    return db.selectNoFrom(sql<number>`(${inSlots}) + (${inSlot})`.as('n'));
  },
);

/** The number of root posts with a larger id. Counts at most a thousand index entries and as many ranges. */
export async function countNewer(db: Kysely<Schema>, id: number): Promise<number> {
  const [million, thousand] = [slotOf(id, wide), slotOf(id, narrow)];
  const [row] = await newerThan(db, {
    id,
    wide: million,
    narrow: thousand,
    nextWide: (million + 1) * narrowInWide,
    nextId: (thousand + 1) * 2 ** narrow,
  });
  return row!.n;
}

/** The slot of the post after `skip` newer ones, and the number of posts of the slot to skip. */
function find(counts: SlotCount[], skip: number): { slot: number; left: number } | undefined {
  let left = skip;
  for (const { slot, n } of counts) {
    if (left < n) return { slot, left };
    left -= n;
  }
  return undefined;
}
