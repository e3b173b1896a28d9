import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { userRow } from '../../../test/kit/create-user.ts';
import { type Engine, engines } from '../../../test/kit/engines.ts';
import { reader, twoProcesses } from '../../../test/kit/live-wall.ts';
import { type Member, publish, register, replyTo } from '../../../test/kit/member.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import type { Database, Tx } from '../../db/database.ts';
import { followAuthor } from '../following/followed-authors.ts';
import { deleteOwnPost, undoDeletion } from '../posts/own-deletion.ts';
import { lockPost } from '../posts/post-writes.ts';
import { notifyFollowers } from './recipients.ts';

/** These followers are more than one batch of the job. */
const many = 450;

/** Adds people who follow a discussion; resolves to their ids. */
async function addFollowers({ tx }: Database, rootId: number, n: number): Promise<number[]> {
  const people = Array.from({ length: n }, (_, i) => userRow({ username: `follower_${i}`, now: 1 }));
  return tx(async ({ db }) => {
    const added = await db.insertInto('users').values(people).returning('id').execute();
    const follows = added.map(({ id }) => ({ root_post_id: rootId, user_id: id, following: 1 }));
    await db.insertInto('follows').values(follows).execute();
    return added.map(({ id }) => id);
  });
}

const notificationsOf = async ({ db }: Wall, id: number): Promise<number> => {
  const rows = await db.read.selectFrom('notifications').select('user_id').where('post_id', '=', id).execute();
  assert.equal(new Set(rows.map((row) => row.user_id)).size, rows.length);
  return rows.length;
};

const differences = ({ db }: Wall) => Array.fromAsync(recount(db.read));

/** A discussion with many followers. The app is closed, because its own jobs would run at any moment. */
async function discussion(engine: Engine) {
  const wall = await openWall(engine);
  await wall.app.close();
  const [anna, boris] = [await wall.person('anna_petrova'), await wall.person('boris')];
  const root = await wall.post(anna, 'запись');
  const followers = await addFollowers(wall.db, root, many);
  const work = (each: (tx: Tx) => Promise<unknown>) => wall.db.tx(each);
  return {
    wall,
    anna,
    boris,
    root,
    followers,
    jobs: (later = 0) => runJobs(wall.db, wall.clock.now + later),
    withdraw: (id: number) => work(async (tx) => deleteOwnPost(tx, (await lockPost(tx, id))!, wall.clock.now)),
    takeBack: (id: number) => work((tx) => undoDeletion(tx, id, { userId: boris, now: wall.clock.now })),
    [Symbol.asyncDispose]: wall.close,
  };
}

/** A test on each engine. */
function onDiscussion(title: string, work: (open: Awaited<ReturnType<typeof discussion>>) => Promise<void>): void {
  for (const engine of engines) {
    test(`a discussion with many followers ${title} on ${engine}`, async () => {
      await using open = await discussion(engine);
      await work(open);
    });
  }
}

onDiscussion(
  'has few of them notified in the transaction of the reply, and all by the job, once each',
  async ({ wall, anna, boris, root, followers, jobs }) => {
    const [declined, muting] = followers.slice(-2) as [number, number];
    await wall.db.tx(async ({ db }) => {
      await db.updateTable('follows').set({ following: 0 }).where('user_id', '=', declined).execute();
      await db.insertInto('mutes').values({ user_id: muting, muted_id: boris, created_at: 1 }).execute();
    });
    const id = await wall.reply(boris, root, '@follower_7');
    assert.equal(await notificationsOf(wall, id), 2, 'the replied person and the mentioned one');
    for (let run = 0; run < 2; run += 1) {
      await jobs();
      assert.equal(
        await notificationsOf(wall, id),
        many - 2 + 1,
        'without those who declined or muted, with the replied one',
      );
    }
    const rows = await wall.db.read.selectFrom('notifications').select(['user_id', 'no', 'kind']).execute();
    const of = (wanted: string) => rows.filter(({ kind }) => kind === wanted).map(({ user_id: userId }) => userId);
    assert.deepEqual([of('answer'), of('mention')], [[anna], [followers[7]]]);
    assert.ok(rows.every(({ no }) => no === 1));
    assert.deepEqual(await differences(wall), []);
  },
);

onDiscussion(
  'has many followers of an author notified of a new root post by the job',
  async ({ wall, anna, followers, jobs }) => {
    await wall.db.tx(async (tx) => {
      for (const userId of followers) await followAuthor(tx, { userId, authorId: anna, now: 1 });
    });
    const id = await wall.post(anna, '@follower_7');
    assert.equal(await notificationsOf(wall, id), 1, 'the mentioned one');
    for (let run = 0; run < 2; run += 1) await jobs();
    assert.equal(await notificationsOf(wall, id), many);
    const kinds = wall.db.read
      .selectFrom('notifications')
      .select('kind')
      .where('post_id', '=', id)
      .distinct()
      .orderBy('kind');
    assert.deepEqual(await kinds.execute(), [{ kind: 'author' }, { kind: 'mention' }]);
    assert.deepEqual(await differences(wall), []);
  },
);

onDiscussion(
  'is carried out to the end although the job was interrupted, and nobody twice',
  async ({ wall, boris, root, followers, jobs }) => {
    const id = await wall.reply(boris, root, 'ответ');
    let batches = 0;
    const interrupted = notifyFollowers({
      key: String(id),
      payload: { rootId: root, authorId: boris },
      tx: async (work) => {
        batches += 1;
        if (batches === 2) throw new Error('killed');
        return wall.db.tx(work);
      },
    });
    await assert.rejects(interrupted, /killed/);
    const before = await notificationsOf(wall, id);
    assert.ok(before > 1 && before < many, `${before}`);
    await jobs();
    assert.equal(await notificationsOf(wall, id), many + 1);
    const users = await wall.db.read
      .selectFrom('users')
      .select('notifications_made')
      .where('id', 'in', followers)
      .execute();
    assert.ok(users.every(({ notifications_made: made }) => made === 1));
    assert.deepEqual(await differences(wall), []);
  },
);

onDiscussion(
  'gets no more notifications of a reply that is deleted or removed, also after it has returned',
  async ({ wall, boris, root, jobs, withdraw, takeBack }) => {
    const [deleted, removed] = [await wall.reply(boris, root, 'раз'), await wall.reply(boris, root, 'два')];
    await withdraw(deleted);
    await removePost(wall, String(removed));
    await jobs();
    assert.deepEqual([await notificationsOf(wall, deleted), await notificationsOf(wall, removed)], [1, 1]);
    await takeBack(deleted);
    await restore(wall, String(removed));
    await jobs();
    assert.deepEqual([await notificationsOf(wall, deleted), await notificationsOf(wall, removed)], [1, 1]);
    assert.deepEqual(await differences(wall), []);
  },
);

onDiscussion(
  'has the notifications of a deleted reply counted for nobody, and again with it',
  async ({ wall, boris, root, jobs, withdraw, takeBack }) => {
    const id = await wall.reply(boris, root, 'ответ');
    await jobs();
    const counted = async (): Promise<number[]> => {
      const { list, unread } = await wall.db.read
        .selectFrom('users')
        .select((eb) => [eb.fn.sum('notifications_count').as('list'), eb.fn.sum('unread_count').as('unread')])
        .executeTakeFirstOrThrow();
      return [await notificationsOf(wall, id), Number(list), Number(unread)];
    };
    assert.deepEqual(await counted(), [many + 1, many + 1, many + 1]);
    await withdraw(id);
    assert.deepEqual(await counted(), [many + 1, 0, 0]);
    await takeBack(id);
    assert.deepEqual(await counted(), [many + 1, many + 1, many + 1]);
    await withdraw(id);
    await jobs(1_000);
    assert.deepEqual(await counted(), [0, 0, 0]);
    assert.deepEqual(await differences(wall), []);
  },
);

onDiscussion(
  'is followed by nobody a day after nothing of it is left',
  async ({ wall, anna, boris, root, followers, jobs, withdraw }) => {
    const [without, removed] = [await wall.post(anna, 'останутся ответы'), await wall.post(anna, 'скроют')];
    await wall.reply(boris, without, 'ответ');
    const follows = [without, removed].map((id) => ({ root_post_id: id, user_id: followers[0]!, following: 1 }));
    await wall.db.tx(({ db }) => db.insertInto('follows').values(follows).execute());
    const followed = async () => {
      const rows = await wall.db.read.selectFrom('follows').select('root_post_id').orderBy('root_post_id').execute();
      return [...new Set(rows.map(({ root_post_id: id }) => id))];
    };
    await withdraw(root);
    await withdraw(without);
    await removePost(wall, String(removed));
    await jobs();
    assert.deepEqual(await followed(), [root, without, removed], 'the root post may still be restored');
    await jobs(1_000);
    await jobs(2 * 24 * 3_600);
    assert.deepEqual(await followed(), [without, removed]);
  },
);

describe('the unread count of followers in another process', () => {
  test('reaches the open streams of those who were notified, also by the job, and no others', async (t) => {
    const { here, there } = await twoProcesses(t);
    const [anna, boris, vera, gleb] = [
      await register(here),
      await register(here),
      await register(here),
      await register(here),
    ];
    const { id: root } = await publish(anna, 'запись');
    await addFollowers(here.db, Number(root), many);
    await vera.send('PUT', `/posts/${root}/follow`);
    const streamOf = (person: Member) => reader(t, there.url, { cookie: `session=${person.cookies.get('session')}` });
    const [hers, follower, other] = [await streamOf(anna), await streamOf(vera), await streamOf(gleb)];
    const [id, ...seen] = await Promise.all([
      replyTo(boris, root),
      hers.until((all) => all.at(-1)!.changes.unread === 1),
      follower.until((all) => all.at(-1)!.changes.unread === 1),
      other.until((all) => all.at(-1)!.changes.counts.length > 0),
    ]);
    await anna.send('PUT', '/users/current/notifications/read', { up_to: id });
    await hers.until((all) => all.at(-1)!.changes.unread === 0);
    await publish(boris, 'для всех');
    await other.until((all) => all.at(-1)!.changes.posts.length > 0);
    assert.ok(seen[2].slice(1).every(({ changes }) => changes.unread === undefined));
    assert.equal(
      other.received.length,
      3,
      'the first event, the reply and the post: nobody else is woken by the job or by reading',
    );
  });
});
