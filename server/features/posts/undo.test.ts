import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Random } from '../../../demo/random.ts';
import { userRow } from '../../../test/kit/create-user.ts';
import { type Engine, engines, openFresh } from '../../../test/kit/engines.ts';
import { interleave } from '../../../test/kit/interleavings.ts';
import { untilPositioned } from '../../../test/kit/live-wall.ts';
import { deleteAccount, type Member, outcome, publish, register, renew } from '../../../test/kit/member.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { isInFiles, leavesFiles, runJobs } from '../../../test/kit/run-jobs.ts';
import { openWall, type Wall, wallOver } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { states } from '../../db/all-posts.ts';
import type { Database } from '../../db/database.ts';
import { listReportedPosts } from '../reports/reported-posts.ts';
import { settleReports } from '../reports/report-store.ts';
import { deleteOwnPost } from './own-deletion.ts';
import { likePost } from './likes.ts';
import { restorePost } from './post-states.ts';
import { createPost, lockPost } from './post-writes.ts';

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
    back.counts
      .map(({ id, likes_count: likes, replies_count: replies }: Record<string, unknown>) => [id, likes, replies])
      .toSorted(),
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

/** The tables and views that contain the text. */
async function placesOf(wall: Pick<Wall, 'db'>): Promise<string[]> {
  const tables = ['posts', 'all_posts', 'reports', 'changes', 'jobs', 'idempotency_keys', 'operator_log'] as const;
  const found: string[] = [];
  for (const table of tables) {
    const rows = await wall.db.read.selectFrom(table).selectAll().execute();
    if (JSON.stringify(rows).includes(secret)) found.push(table);
  }
  return found;
}

/** The row of a post, and the likes and notifications of it. */
async function rowsAbout({ db: { read } }: Pick<Wall, 'db'>, post: string): Promise<object[]> {
  const id = Number(post);
  return [
    ...(await read.selectFrom('all_posts').select(['id', 'text', 'user_id', 'state']).where('id', '=', id).execute()),
    ...(await read.selectFrom('likes').select('user_id').where('post_id', '=', id).execute()),
    ...(await read.selectFrom('notifications').select('user_id').where('post_id', '=', id).execute()),
  ];
}

onConversation('afterwards no table holds the text or what belonged to it', async ({ wall, anna, post }) => {
  await anna.send('DELETE', `/posts/${post.id}`);
  wall.clock.now += 300;
  await runJobs(wall.db, wall.clock.now);
  assert.ok(JSON.stringify(await rowsAbout(wall, post.id)).includes(secret));
  wall.clock.now += 16;
  await runJobs(wall.db, wall.clock.now);
  assert.deepEqual(await placesOf(wall), ['posts', 'all_posts'], 'the reply of somebody else');
  assert.deepEqual(await rowsAbout(wall, post.id), [
    { id: Number(post.id), text: null, user_id: null, state: states.gone },
  ]);
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
    assert.ok(!JSON.stringify(await rowsAbout(wall, post.id)).includes(secret));
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
    await runJobs(wall.db, wall.clock.now);
    for (const table of ['all_posts', 'likes'] as const) {
      const left = await wall.db.read.selectFrom(table).select('user_id').execute();
      assert.ok(left.length > 0 && left.every(({ user_id: id }) => String(id) !== boris.id), table);
    }
    assert.equal(await restore(wall, post.id), 'restored');
    assert.equal((await anna.send('GET', `/posts/${post.id}`)).json().actions.likes_count, 2);
    assert.equal((await clara.send('GET', '/posts?filter=liked')).json().total, 2);
    assert.deepEqual(await differences(wall), []);
  },
);

onConversation('deleting the account removes the text at once', async ({ wall, anna, boris, post }) => {
  wall.clock.now += 61;
  await anna.send('DELETE', `/posts/${post.id}`);
  await deleteAccount(wall, anna);
  assert.ok(!JSON.stringify(await rowsAbout(wall, post.id)).includes(secret), 'no job has run');
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

/** More people than one statement counts. */
const many = 2_100;

/** A post that many people like, of which many have an unread notification. */
async function likedByMany(
  { db, clock: { now } }: Pick<Wall, 'db' | 'clock'>,
  post: number,
  author: string,
): Promise<void> {
  const people = Array.from({ length: many }, (_, i) => userRow({ username: `liker_${post}_${i}`, now }));
  const counted = { likes_count: 1, notifications_made: 1, notifications_count: 1, unread_count: 1 };
  await db.tx(async ({ db: tx }) => {
    for (let from = 0; from < many; from += 700) {
      const rows = people.slice(from, from + 700).map((person) => ({ ...person, ...counted }));
      const likers = await tx.insertInto('users').values(rows).returning('id').execute();
      const of = <Row extends object>(row: Row) => likers.map(({ id }) => ({ ...row, user_id: id }));
      const about = { post_id: post, root_post_id: post, author_id: Number(author), no: 1, kind: 'mention' as const };
      await tx
        .insertInto('likes')
        .values(of({ post_id: post, created_at: now }))
        .execute();
      await tx.insertInto('notifications').values(of(about)).execute();
      await tx
        .insertInto('reading_positions')
        .values(of({ list: post, post_id: 0, updated_at: now, unread: 1 }))
        .execute();
    }
    await tx.updateTable('all_posts').set({ likes_count: many }).where('id', '=', post).execute();
  });
}

/** Sums of the counts of all people. */
async function sumOfTotals({ read }: Database): Promise<number[]> {
  const users = await read.selectFrom('users').select(['likes_count', 'notifications_count', 'unread_count']).execute();
  return (['likes_count', 'notifications_count', 'unread_count'] as const).map((name) =>
    users.reduce((sum, user) => sum + user[name], 0),
  );
}

onWalls({ RATE_LIMITS: 'off' })('many likes and notifications count while their post is shown', async (wall) => {
  const anna = await register(wall);
  const { id } = (await anna.send('POST', '/posts', { text: 'всем нравится' })).json();
  await likedByMany(wall, Number(id), anna.id);
  const check = async (...totals: number[]) => {
    assert.deepEqual(await differences(wall), []);
    assert.deepEqual(await sumOfTotals(wall.db), totals);
  };
  await removePost(wall, id);
  await check(0, 0, 0);
  assert.deepEqual((await wall.get('/api/v1/posts')).json.posts, []);
  assert.equal((await anna.send('POST', `/posts/${id}/likes`)).statusCode, 404);
  await restore(wall, id);
  await check(many, many, many);
  assert.equal((await wall.get(`/api/v1/posts/${id}`)).json.actions.likes_count, many);
  await anna.send('DELETE', `/posts/${id}`);
  await check(0, 0, 0);
  await undo(anna, id);
  await check(many, many, many);
  await removePost(wall, id);
  assert.equal((await anna.send('DELETE', `/posts/${id}`)).statusCode, 204);
  await check(0, 0, 0);
  assert.deepEqual(await rowsAbout(wall, id), []);
});

/** Eight posts by different people, each liked by some of them, are withdrawn and restored at once; resolves to the number of deadlocks. */
async function withdrawAtOnce(
  db: Database,
  people: number,
  rounds: number,
  likes: (person: number, post: number) => boolean,
) {
  const rows = await db.tx((tx) =>
    tx.db
      .insertInto('users')
      .values(Array.from({ length: people }, (_, i) => userRow({ username: `person_${people}_${i}`, now: 1 })))
      .returning('id')
      .execute(),
  );
  const ids = rows.map(({ id }) => id);
  const posts: number[] = [];
  for (const author of ids.slice(0, 8)) {
    const post = await db.tx((tx) => createPost(tx, { userId: author, text: 'запись', now: 1 }));
    const likers = ids.filter((id, i) => id !== author && likes(i, posts.length));
    posts.push(post);
    await db.tx(async (tx) => {
      for (const userId of likers) await likePost(tx, { postId: post, userId, now: 1 });
    });
  }
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(posts.map((id) => db.tx(async (tx) => deleteOwnPost(tx, (await lockPost(tx, id))!, 1))));
    assert.deepEqual(await differences({ db }), []);
    await Promise.all(posts.map((id) => db.tx((tx) => restorePost(tx, id, 1, () => true))));
    assert.deepEqual(await differences({ db }), []);
  }
  const vitals = db.vitals();
  return 'repeats' in vitals ? vitals.repeats : undefined;
}

test('posts liked by the same people are withdrawn and restored at once without a deadlock, on PostgreSQL', async () => {
  // Without the app, whose jobs would lock people, too.
  await using fresh = await openFresh('postgres');
  assert.equal(await withdrawAtOnce(fresh.db, 200, 3, () => true), 0);
  assert.equal(await withdrawAtOnce(fresh.db, 24, 15, (person, post) => (person * 7 + post * 5) % 3 !== 0), 0);
});
