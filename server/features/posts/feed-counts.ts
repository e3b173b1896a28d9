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

/** The id of the root post that has exactly `skip` newer root posts; undefined when the feed is shorter. */
export async function feedPostAt(db: Kysely<Schema>, skip: number): Promise<number | undefined> {
  const million = find(await slots(db, { span: wide, from: 0, to: Number.MAX_SAFE_INTEGER }), skip);
  if (!million) return undefined;
  const from = million.slot * narrowInWide;
  const thousand = find(await slots(db, { span: narrow, from, to: from + narrowInWide }), million.remaining);
  if (!thousand) return undefined;
  // The query skips fewer than 1,024 index entries.
  const before = (thousand.slot + 1) * 2 ** narrow;
  const [post] = await nthBefore(db, { before, skip: thousand.remaining });
  return post?.id;
}

export interface CountsAround {
  total: number;
  /** Root posts with a larger id. */
  newer: number;
}

type Around = Record<'id' | 'wide' | 'narrow' | 'nextWide' | 'nextId', number>;

const countsAround = prepared<Around, CountsAround>((db, slot) => {
  const counted = (span: number) =>
    db
      .selectFrom('feed_counts')
      .select(sql<number>`cast(coalesce(sum(n), 0) as bigint)`.as('n'))
      .where('span', '=', span);
  const inWide = counted(wide).where('slot', '>', slot('wide'));
  const inNarrow = counted(narrow).where('slot', '>', slot('narrow')).where('slot', '<', slot('nextWide'));
  const inSlot = db
    .selectFrom('posts')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('replied_post_id', 'is', null)
    .where('id', '>', slot('id'))
    .where('id', '<', slot('nextId'));
  return db.selectNoFrom([
    sql<number>`(${counted(wide)})`.as('total'),
    sql<number>`(${inWide}) + (${inNarrow}) + (${inSlot})`.as('newer'),
  ] as const);
});

/** Adds up ranges of ids and counts at most 1,024 index entries. */
export async function countAround(db: Kysely<Schema>, id: number): Promise<CountsAround> {
  const [million, thousand] = [slotOf(id, wide), slotOf(id, narrow)];
  const [row] = await countsAround(db, {
    id,
    wide: million,
    narrow: thousand,
    nextWide: (million + 1) * narrowInWide,
    nextId: (thousand + 1) * 2 ** narrow,
  });
  return row!;
}

/** The slot with the post that has `skip` newer ones, and the number of newer posts in this slot. */
function find(counts: SlotCount[], skip: number): { slot: number; remaining: number } | undefined {
  let remaining = skip;
  for (const { slot, n } of counts) {
    if (remaining < n) return { slot, remaining };
    remaining -= n;
  }
  return undefined;
}
