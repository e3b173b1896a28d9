import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Random } from '../../../demo/random.ts';
import { userRow } from '../../../test/kit/create-user.ts';
import { type Engine, engines, openFresh, openStorage } from '../../../test/kit/engines.ts';
import { interleave } from '../../../test/kit/interleavings.ts';
import { untilPositioned } from '../../../test/kit/live-wall.ts';
import { deleteAccount, type Member, outcome, publish, register, renew } from '../../../test/kit/member.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { isInFiles, leavesFiles, runJobs } from '../../../test/kit/run-jobs.ts';
import { openWall, type Wall, wallOver } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import type { Database } from '../../db/database.ts';
import { listReportedPosts } from '../reports/reported-posts.ts';
import { settleReports } from '../reports/report-store.ts';
import { deleteOwnPost } from './own-deletion.ts';
import { lockPost } from './post-writes.ts';

/** A part of the texts of the post and of the reply. */
const secret = 'то, что передумали';

const undo = (member: Member, id: string) => member.send('POST', `/posts/${id}/restoration`);

const differences = (wall: Pick<Wall, 'db'>): Promise<unknown[]> => Array.fromAsync(recount(wall.db.read));

/** Anna's post, Boris's reply and Clara's reply to that. Everybody likes everything. */
async function conversation(engine: Engine) {
  const wall = await openWall(engine, { RATE_LIMITS: 'off' });
  const people = [await register(wall), await register(wall), await register(wall)] as const;
  const [anna, boris, clara] = people;
  const post = await publish(anna, `корень: ${secret}`);
  const reply = await publish(boris, `ответ: ${secret}`, `/posts/${post.id}/replies`);
  const nested = await publish(clara, 'ответ на ответ', `/posts/${reply.id}/replies`);
  for (const member of people) {
    for (const { id } of [post, reply, nested]) await member.send('POST', `/posts/${id}/likes`);
  }
  return { wall, people, anna, boris, clara, post, reply, nested };
}

type Conversation = Awaited<ReturnType<typeof conversation>>;

/** A test on each engine. */
function onConversation(title: string, work: (open: Conversation, t: TestContext) => Promise<void>): void {
  for (const engine of engines) {
    test(`taking back a deletion: ${title} on ${engine}`, async (t) => {
      const open = await conversation(engine);
      await using _ = open.wall;
      await work(open, t);
    });
  }
}

onConversation(
  'reports that were closed while the post was gone are open again',
  async ({ wall, anna, boris, clara, post }) => {
    await boris.send('POST', `/posts/${post.id}/reports?reason_id=spam`);
    await wall.db.tx((tx) => settleReports(tx, Number(post.id), wall.clock.now));
    wall.clock.now += 1;
    await clara.send('POST', `/posts/${post.id}/reports?reason_id=abuse`);
    const reported = async () => {
      const [first] = await listReportedPosts(wall.db.read, { state: 'open', limit: 1 });
      return [first!.post.state, first!.post.open, first!.post.reports.length];
    };
    assert.deepEqual(await reported(), ['visible', 1, 2]);
    wall.clock.now += 1;
    await anna.send('DELETE', `/posts/${post.id}`);
    assert.deepEqual(await reported(), ['deleted', 1, 2]);
    await wall.db.tx((tx) => settleReports(tx, Number(post.id), wall.clock.now));
    await undo(anna, post.id);
    assert.deepEqual(await reported(), ['visible', 1, 2], 'the one that was settled before stays settled');
  },
);

onConversation('event streams report a restored post, and not as a new one', async ({ wall, boris, post, reply }) => {
  const eventsOf = async (query: string) => {
    // A change may get its position a moment after the write.
    await untilPositioned(wall);
    return (await wall.get(`/api/v1/events${query}`)).json;
  };
  const changes = (after: string) => eventsOf(`?posts=${post.id}&after=${after}`);
  const { position } = await eventsOf('');
  await boris.send('DELETE', `/posts/${reply.id}`);
  const gone = await changes(position);
  assert.deepEqual([gone.deleted, gone.restored], [[reply.id], undefined]);
  await undo(boris, reply.id);
  const back = await changes(gone.position);
  assert.deepEqual([back.deleted, back.restored, back.posts, back.replies], [[], [reply.id], [], []]);
  assert.deepEqual(
    back.counts.map(({ id, likes_count: likes, replies_count: replies }: Record<string, unknown>) => [
      id,
      likes,
      replies,
    ]),
    [
      [post.id, 3, 1],
      [reply.id, 3, 1],
    ],
  );
  const both = await changes(position);
  assert.deepEqual([both.deleted, both.restored], [[], [reply.id]], 'to a page that missed both');
  await boris.send('DELETE', `/posts/${reply.id}`);
  const last = await changes(position);
  assert.deepEqual([last.deleted, last.restored], [[reply.id], undefined]);
});

onConversation('two hundred parallel calls restore it once', async ({ wall, anna, post }, t) => {
  await anna.send('DELETE', `/posts/${post.id}`);
  const outcomes = await Promise.all(Array.from({ length: 200 }, async () => (await undo(anna, post.id)).statusCode));
  assert.deepEqual([outcomes.filter((status) => status === 200).length, new Set(outcomes)], [1, new Set([200, 404])]);
  assert.deepEqual(await differences(wall), []);
  t.diagnostic('200 calls: 1 × 200, 199 × 404');
});

for (const engine of engines) {
  test(`deletions, restorations, likes, replies and reports in any order leave no difference, on ${engine}`, async (t) => {
    const { steps, restored, purged, faults } = await interleave(engine, 400, new Random(7));
    assert.deepEqual(faults, []);
    assert.ok(restored > 0 && purged > 0);
    t.diagnostic(`${steps} steps, ${restored} restored, ${purged} purged`);
  });
}

/** The tables in which the text is stored. */
async function placesOf(wall: Pick<Wall, 'db'>): Promise<string[]> {
  const tables = ['posts', 'removed_posts', 'reports', 'changes', 'jobs', 'idempotency_keys', 'operator_log'] as const;
  const found: string[] = [];
  for (const table of tables) {
    const rows = await wall.db.read.selectFrom(table).selectAll().execute();
    if (JSON.stringify(rows).includes(secret)) found.push(table);
  }
  return found;
}

onConversation('afterwards no table holds the text or what belonged to it', async ({ wall, anna, post }) => {
  await anna.send('DELETE', `/posts/${post.id}`);
  wall.clock.now += 300;
  await runJobs(wall.db, wall.clock.now);
  assert.deepEqual(await placesOf(wall), ['posts', 'removed_posts']);
  wall.clock.now += 16;
  await runJobs(wall.db, wall.clock.now);
  assert.deepEqual(await placesOf(wall), ['posts'], 'the reply of somebody else');
  for (const table of ['removed_posts', 'removed_likes', 'removed_notifications'] as const) {
    assert.deepEqual(await wall.db.read.selectFrom(table).selectAll().execute(), [], table);
  }
  assert.deepEqual(await differences(wall), []);
});

onConversation(
  'a clock that was ahead keeps no text, and one that was behind loses no post for good',
  async ({ wall, anna, boris, post, reply }) => {
    await runJobs(wall.db, wall.clock.now);
    wall.clock.now += 1_000;
    await renew(anna);
    await runJobs(wall.db, wall.clock.now);
    assert.deepEqual(await outcome(anna.send('DELETE', `/posts/${post.id}`)), [204]);
    wall.clock.now -= 1_000;
    await renew(anna);
    assert.deepEqual(await outcome(undo(anna, post.id)), [404, 'NOT_FOUND']);
    await runJobs(wall.db, wall.clock.now);
    assert.deepEqual(await wall.db.read.selectFrom('removed_posts').selectAll().execute(), []);
    assert.deepEqual(await outcome(boris.send('DELETE', `/posts/${reply.id}`)), [204]);
    wall.clock.now -= 100;
    await runJobs(wall.db, wall.clock.now);
    assert.deepEqual(await outcome(undo(boris, reply.id)), [200], 'a small correction takes nothing away');
  },
);

onConversation(
  'likes of deleted accounts are not restored, nor posts of deleted authors',
  async ({ wall, anna, boris, clara, post, reply }) => {
    await removePost(wall, post.id);
    await removePost(wall, reply.id);
    wall.clock.now += 61;
    await deleteAccount(wall, boris);
    assert.equal(await restore(wall, reply.id), 'author gone');
    assert.equal(await restore(wall, post.id), 'restored');
    assert.equal((await anna.send('GET', `/posts/${post.id}`)).json().actions.likes_count, 2);
    await removePost(wall, post.id);
    await runJobs(wall.db, wall.clock.now);
    for (const table of ['removed_posts', 'removed_likes'] as const) {
      const left = await wall.db.read.selectFrom(table).select('user_id').execute();
      assert.ok(left.length > 0 && left.every(({ user_id: id }) => String(id) !== boris.id), table);
    }
    assert.equal(await restore(wall, post.id), 'restored');
    assert.equal((await clara.send('GET', '/posts?filter=liked')).json().total, 2);
    assert.deepEqual(await differences(wall), []);
  },
);

onConversation('deleting the account removes the text at once', async ({ wall, anna, boris, post }) => {
  wall.clock.now += 61;
  await anna.send('DELETE', `/posts/${post.id}`);
  assert.ok((await placesOf(wall)).includes('removed_posts'));
  await deleteAccount(wall, anna);
  assert.ok(!(await placesOf(wall)).includes('removed_posts'), 'no job has run');
  assert.equal((await boris.send('GET', '/posts?filter=liked')).json().total, 2);
  assert.deepEqual(await differences(wall), []);
});

test('the text of a deleted post leaves the files of SQLite after its time to be restored', async () => {
  await using fresh = await openFresh('sqlite');
  await using wall = await wallOver(fresh.db);
  const anna = await wall.person('anna_k');
  await wall.post(anna, 'остаётся');
  const id = await wall.post(anna, secret);
  await wall.db.tx(async (tx) => deleteOwnPost(tx, (await lockPost(tx, id))!, wall.clock.now));
  assert.ok(await isInFiles(fresh.storage, secret));
  wall.clock.now += 301;
  assert.ok(await leavesFiles(wall, fresh.storage, secret));
});

/** These likes are more than one batch that is moved. */
const many = 250;

/** A post that many people like. */
async function likedByMany({ db, clock: { now } }: Pick<Wall, 'db' | 'clock'>, post: number): Promise<void> {
  const people = Array.from({ length: many }, (_, i) => userRow({ username: `liker_${i}`, now }));
  await db.tx(async ({ db: tx }) => {
    const likers = await tx
      .insertInto('users')
      .values(people.map((person) => ({ ...person, likes_count: 1 })))
      .returning('id')
      .execute();
    const likes = likers.map(({ id }) => ({ post_id: post, user_id: id, created_at: now }));
    await tx.insertInto('likes').values(likes).execute();
    await tx
      .updateTable('posts')
      .set((eb) => ({ likes_count: eb('likes_count', '+', many) }))
      .where('id', '=', post)
      .execute();
  });
}

async function countLikes({ read }: Database, table: 'likes' | 'removed_likes'): Promise<number> {
  return (await read.selectFrom(table).select('id').execute()).length;
}

async function sumOfTotals({ read }: Database): Promise<number> {
  const users = await read.selectFrom('users').select('likes_count').execute();
  return users.reduce((sum, { likes_count: n }) => sum + n, 0);
}

onWalls({ RATE_LIMITS: 'off' })('likes follow a post that is removed and restored at any time', async (wall) => {
  const anna = await register(wall);
  const { id } = (await anna.send('POST', '/posts', { text: 'всем нравится' })).json();
  await likedByMany(wall, Number(id));
  // The last liker, whose like is moved last.
  const boris = await register(wall);
  await boris.send('POST', `/posts/${id}/likes`);
  const likesShown = async () => (await wall.get(`/api/v1/posts/${id}`)).json.actions.likes_count;
  const check = async () => assert.deepEqual(await differences(wall), []);

  await removePost(wall, id);
  await check();
  await restore(wall, id);
  await check();
  await runJobs(wall.db, wall.clock.now);
  assert.equal(await likesShown(), many + 1, 'restored while its likes were not all moved yet');

  await removePost(wall, id);
  await runJobs(wall.db, wall.clock.now);
  assert.deepEqual([await countLikes(wall.db, 'likes'), await countLikes(wall.db, 'removed_likes')], [0, many + 1]);
  assert.equal(await sumOfTotals(wall.db), 0);
  await restore(wall, id);
  await check();
  assert.ok((await likesShown()) < many);
  await boris.send('POST', `/posts/${id}/likes`);
  await runJobs(wall.db, wall.clock.now);
  assert.equal(await likesShown(), many + 1, 'liked again before the first like was moved');
  await check();

  await removePost(wall, id);
  assert.equal((await anna.send('DELETE', `/posts/${id}`)).statusCode, 204);
  await check();
  await runJobs(wall.db, wall.clock.now);
  assert.deepEqual([await countLikes(wall.db, 'likes'), await countLikes(wall.db, 'removed_likes')], [0, 0]);
  assert.equal(await sumOfTotals(wall.db), 0);
  await check();
});

for (const engine of engines) {
  test(`a post with many likes is deleted at once, its likes in batches, also by another process, on ${engine}`, async (t) => {
    const fresh = await openFresh(engine);
    const wall = await wallOver(fresh.db, { RATE_LIMITS: 'off' });
    t.after(fresh.close);
    const anna = await register(wall);
    const { id } = (await anna.send('POST', '/posts', { text: 'всем нравится' })).json();
    await likedByMany(wall, Number(id));
    await anna.send('POST', `/posts/${id}/likes`);
    assert.deepEqual(await differences(wall), []);

    assert.equal((await anna.send('DELETE', `/posts/${id}`)).statusCode, 204);
    assert.equal((await wall.get(`/api/v1/posts/${id}`)).status, 404);
    assert.equal((await anna.send('POST', `/posts/${id}/likes`)).statusCode, 404);
    assert.deepEqual((await wall.get('/api/v1/posts')).json.posts, []);
    assert.deepEqual((await anna.send('GET', '/posts?filter=liked')).json().posts, []);
    const left = await countLikes(wall.db, 'likes');
    assert.ok(left > 0 && left < many, `${left} likes are left after the deletion`);
    assert.deepEqual(await differences(wall), []);
    await wall.close();

    const next = await openStorage(fresh.storage);
    await runJobs(next, wall.clock.now);
    assert.deepEqual([await countLikes(next, 'likes'), await sumOfTotals(next)], [0, 0]);
    assert.deepEqual(await differences({ db: next }), []);
    await next.close();
  });
}
