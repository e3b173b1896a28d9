import assert from 'node:assert/strict';
import { recount } from '../../server/commands/verify-data/recount.ts';
import type { Database } from '../../server/db/database.ts';
import { deletePending, holdPost, publishDue } from '../../server/features/posts/pending-posts.ts';
import type { Random } from '../../demo/random.ts';
import type { Engine } from './engines.ts';
import { registerModerator } from './desk.ts';
import type { Member } from './member.ts';
import { perform } from '../../server/features/moderation/desk/perform.ts';
import { openWall, type Wall } from './wall.ts';

/** Makes the first posts of newcomers wait for a moderator. Resolves to the owner who has saved the setting. */
export async function closeGate(wall: Wall, posts = 1, hours = 24): Promise<Member> {
  const owner = await registerModerator(wall, 'owner');
  const saved = await owner.send('PUT', '/keep/settings', { gate_posts: posts, gate_hours: hours });
  assert.equal(saved.statusCode, 200, saved.body);
  return owner;
}

export interface Held {
  id: string;
  text: string;
  created_at: number;
  replied_post_id: string | null;
  expires_at: number;
}

export async function hold(by: Member, text: string, path = '/posts'): Promise<Held> {
  const response = await by.send('POST', path, { text });
  assert.equal(response.statusCode, 202, response.body);
  return response.json().pending;
}

export const approve = (moderator: Member, { id }: { id: string }) =>
  moderator.send('POST', `/moderation/posts/${id}/approval`);
export const remove = (moderator: Member, { id }: { id: string }) =>
  moderator.send('POST', `/moderation/posts/${id}/removal`, { reason: 'Реклама или спам' });
interface Decided {
  rounds: number;
  /** How often each kind of act has decided about a post. */
  outcomes: Record<string, number>;
  faults: string[];
}

const hour = 3_600;

/** In each round a post and a reply of one person wait, and two to five concurrent acts decide about both. Each must have one outcome. */
export async function decideAtOnce(engine: Engine, rounds: number, random: Random): Promise<Decided> {
  await using wall = await openWall(engine);
  const { db } = wall;
  const now = wall.clock.now;
  const by = { at: now + hour, operator: 'проба', reason: 'проба' };
  const rootId = await wall.post(await wall.person('someone_else'), 'корень');
  const done: Decided = { rounds: 0, outcomes: {}, faults: [] };

  const decide = async (act: 'approve' | 'remove', id: number): Promise<boolean> =>
    !('refused' in (await perform(db, async () => ({ act, id, by }))).outcome);

  const acts: Record<string, (ids: number[], userId: number) => Promise<number>> = {
    approve: (ids) => sum(ids, (id) => decide('approve', id)),
    expire: async () => {
      await publishDue(db, { now: now + hour, tx: (work) => db.tx(work) });
      return 0;
    },
    delete: (ids, userId) => sum(ids, (id) => db.tx((tx) => deletePending(tx, id, userId))),
    remove: (ids) => sum(ids, (id) => decide('remove', id)),
    async block(_, id) {
      const given = { removePosts: random.below(2) === 0 };
      const { counts } = await perform(db, async () => ({ act: 'block', id, by, given }));
      return counts['removed_posts'] ?? 0;
    },
  };

  async function round(i: number): Promise<void> {
    const userId = await wall.person(`newcomer_${i}`);
    const ids: number[] = [];
    for (const repliedTo of [null, rootId]) {
      const waiting = {
        userId,
        text: `жду ${i}`,
        now,
        repliedTo,
        gate: { posts: 1, hours: 1 },
        wallPace: 0,
        key: undefined,
      };
      const held = await db.tx((tx) => holdPost(tx, waiting));
      if ('refused' in held) throw new Error(held.refused);
      ids.push(Number(held.id));
    }
    const chosen = random.shuffled(Object.keys(acts)).slice(0, 2 + random.below(4));
    const decided = await Promise.all(chosen.map(async (name) => [name, await acts[name]!(ids, userId)] as const));
    for (const [name, n] of decided) done.outcomes[name] = (done.outcomes[name] ?? 0) + n;
    const rows = await placesOf(db, userId);
    const deleted = decided.find(([name]) => name === 'delete')?.[1] ?? 0;
    const places = `${JSON.stringify(rows)}, deleted ${deleted}, by ${decided.join(' ')}`;
    if (rows.pending > 0) done.faults.push(`still waits: ${places}`);
    if (rows.shown + rows.removed + deleted !== ids.length) done.faults.push(`not one outcome each: ${places}`);
    done.rounds += 1;
  }

  for (let from = 0; from < rounds; from += 4) {
    await Promise.all([from, from + 1, from + 2, from + 3].filter((i) => i < rounds).map(round));
  }
  for await (const difference of recount(db.read)) done.faults.push(JSON.stringify(difference));
  return done;
}

async function sum(ids: readonly number[], decides: (id: number) => Promise<boolean>): Promise<number> {
  let decided = 0;
  for (const id of ids) if (await decides(id)) decided += 1;
  return decided;
}

async function placesOf(db: Database, userId: number): Promise<Record<'pending' | 'shown' | 'removed', number>> {
  const count = async (table: 'pending_posts' | 'posts' | 'removed_posts'): Promise<number> =>
    (await db.read.selectFrom(table).select('id').where('user_id', '=', userId).execute()).length;
  return { pending: await count('pending_posts'), shown: await count('posts'), removed: await count('removed_posts') };
}
