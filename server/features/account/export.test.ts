import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Post, WrittenPost } from '#contract/posts.ts';
import { ask } from '../../../test/kit/ask.ts';
import { engines } from '../../../test/kit/engines.ts';
import { signInElsewhere, type Member, register } from '../../../test/kit/member.ts';
import { removePost } from '../../../test/kit/moderation.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { storedColumns } from '../posts/rows.ts';

const download = '/users/current/export';
/** Several batches of each kind. */
const many = 350;

async function writeMuch({ db, clock: { now } }: Wall, userId: number): Promise<void> {
  const numbers = Array.from({ length: many }, (_, i) => i + 1);
  const written = { user_id: userId, text: 'ё'.repeat(500), created_at: now };
  await db.tx(async ({ db: tx }) => {
    await tx
      .insertInto('posts')
      .values(numbers.map(() => written))
      .execute();
    const replies = numbers.map(() => ({ ...written, parent_post_id: 1, replied_post_id: 1 }));
    await tx.insertInto('posts').values(replies).execute();
    const likes = numbers.map((id) => ({ post_id: id, user_id: userId, created_at: now }));
    await tx.insertInto('likes').values(likes).execute();
    await tx.insertInto('bookmarks').values(likes).execute();
    const stored = await tx.selectFrom('posts').select(storedColumns).limit(1).executeTakeFirstOrThrow();
    const positions = numbers.map((list) => ({ user_id: userId, list, post_id: list, updated_at: now }));
    await tx.insertInto('reading_positions').values(positions).execute();
    const follows = numbers.map((id) => ({ root_post_id: id, user_id: userId, following: 1 }));
    await tx.insertInto('follows').values(follows).execute();
    const removed = { ...stored, removed_at: now, reason: 'не к месту', with_block: 0 };
    await tx
      .insertInto('removed_posts')
      .values(numbers.map((no) => ({ ...removed, id: 2 * many + no })))
      .execute();
  });
}

/** A response of which nothing has been read, over a connection with backpressure. */
function startDownload({ app }: Wall, { token, ip }: Member) {
  const headers = { authorization: `Bearer ${token}` };
  return app.inject({ method: 'GET', url: `/api/v1${download}`, headers, remoteAddress: ip, payloadAsStream: true });
}

const writtenOf = ({ owner: _, actions: __, ...written }: Post): WrittenPost => written;

for (const engine of engines) {
  test(`the export contains exactly the person’s own data on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const [anna, boris] = [await register(wall), await register(wall)];
    const began = wall.clock.now;
    const write = async (member: typeof anna, path: string, text: string) =>
      (await member.send('POST', path, { text })).json();
    const post = await write(anna, '/posts', 'моя запись');
    const changed = await write(anna, '/posts', 'с опечаткй');
    await anna.send('PATCH', `/posts/${changed.id}`, { text: 'с опечаткой' });
    const deleted = await write(anna, '/posts', 'удалённая');
    await anna.send('DELETE', `/posts/${deleted.id}`);
    const removed = await write(anna, '/posts', 'скрытая');
    await removePost(wall, removed.id, 'не к месту');
    const his = await write(boris, '/posts', 'его запись');
    const reply = await write(anna, `/posts/${his.id}/replies`, 'мой ответ');
    await write(boris, `/posts/${post.id}/replies`, 'его ответ');
    await anna.send('POST', `/posts/${his.id}/likes`);
    await boris.send('POST', `/posts/${post.id}/likes`);
    await anna.send('PUT', `/posts/${reply.id}/bookmark`);
    await boris.send('PUT', `/posts/${post.id}/bookmark`);
    await anna.send('PATCH', '/users/current/profile', { display_name: 'Аня', about: 'Пеку хлеб' });
    await anna.send('PUT', '/users/current/reading', { list: 'feed', post_id: his.id });
    await anna.send('PUT', '/users/current/reading', { list: `thread:${post.id}`, post_id: reply.id });
    await boris.send('PUT', '/users/current/reading', { list: 'feed', post_id: reply.id });
    await anna.send('DELETE', `/posts/${post.id}/follow`);

    const response = await anna.send('GET', '/users/current/export');
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers['cache-control'], 'no-store');
    assert.match(String(response.headers['content-disposition']), /^attachment; filename=".+\.json"$/);
    const { kept, ...written } = response.json();
    assert.ok(kept.length > 20);
    assert.deepEqual(written, {
      account: {
        id: anna.id,
        username: anna.username,
        display_name: 'Аня',
        about: 'Пеку хлеб',
        email: anna.email,
        created_at: began,
      },
      posts: [writtenOf(post), { ...writtenOf(changed), text: 'с опечаткой', is_modified: true, modified_at: began }],
      replies: [{ ...writtenOf(reply), replied_post_id: his.id }],
      likes: [{ post_id: his.id, created_at: began }],
      bookmarks: [{ post_id: reply.id, created_at: began }],
      pending: [],
      removed: [
        {
          ...writtenOf(removed),
          replied_post_id: null,
          removed_at: began,
          reason: 'не к месту',
          is_new: true,
        },
      ],
      reading: [
        { list: 'feed', post_id: his.id, updated_at: began },
        { list: `thread:${post.id}`, post_id: reply.id, updated_at: began },
      ],
      notifications: { follow_replied: true, digest: 'off' },
      follows: [
        { post_id: post.id, following: false },
        { post_id: his.id, following: true },
      ],
      tokens: [],
      invitations: [],
      consents: [],
    });
    assert.equal((await wall.get('/api/v1/users/current/export')).status, 401);
  });
  test(`a large export is complete, and read no faster than the client takes it, on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const anna = await register(wall);
    await writeMuch(wall, Number(anna.id));
    const file = (await startDownload(wall, anna)).stream();
    const late = (await anna.send('POST', '/posts', { text: 'пока файл ждёт' })).json();
    const everything = (await json(file)) as Record<string, Array<Record<string, string>>>;
    const numbers = Array.from({ length: many }, (_, i) => i + 1);
    const idsOf = (kind: string) => everything[kind]!.map(({ id, post_id }) => Number(id ?? post_id));
    assert.deepEqual(idsOf('posts'), [...numbers, Number(late.id)]);
    assert.deepEqual(
      idsOf('replies'),
      numbers.map((no) => many + no),
    );
    assert.deepEqual(idsOf('likes'), numbers);
    assert.deepEqual(idsOf('bookmarks'), numbers);
    assert.deepEqual(idsOf('reading'), numbers);
    assert.deepEqual(idsOf('follows'), numbers);
    assert.deepEqual(
      idsOf('removed'),
      numbers.map((no) => 2 * many + no),
    );
  });

  test(`one export at a time, five an hour, on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const [anna, boris] = [await register(wall), await register(wall)];
    await writeMuch(wall, Number(anna.id));
    for (let i = 0; i < 4; i += 1) {
      const slow = await startDownload(wall, anna);
      assert.equal(slow.statusCode, 200);
      const second = await anna.send('GET', download);
      assert.deepEqual([second.statusCode, second.json().code], [429, 'TOO_MANY_REQUESTS']);
      assert.match(second.json().message, /уже скачиваются/);
      if (i === 0) assert.equal((await boris.send('GET', download)).statusCode, 200, 'others do not wait');
      await once(slow.stream().resume(), 'end');
    }
    const broken = http.get(`${await wall.app.listen()}/api/v1${download}`, {
      headers: { authorization: `Bearer ${anna.token}` },
    });
    await once(broken, 'response');
    broken.destroy();
    let sixth = await anna.send('GET', download);
    for (let left = 100; left > 0 && /уже скачиваются/.test(sixth.body); left -= 1) {
      await sleep(20);
      sixth = await anna.send('GET', download);
    }
    assert.deepEqual([sixth.statusCode, sixth.headers['retry-after']], [429, '3600']);
    assert.match(sixth.json().message, /пять раз в час/);
    wall.clock.now += 3_600;
    assert.equal((await signInElsewhere(wall, anna).then((again) => again.send('GET', download))).statusCode, 200);
  });

  test(`an export interrupted by a storage failure does not look complete on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const anna = await register(wall);
    await anna.send('POST', '/posts', { text: 'моя запись' });
    const address = await wall.app.listen();
    await wall.db.tx((tx) => tx.db.schema.alterTable('removed_posts').renameTo('away').execute());
    const { outcome, body } = await ask(`${address}/api/v1${download}`, {
      headers: { authorization: `Bearer ${anna.token}` },
    });
    assert.equal(outcome, 'half');
    assert.match(body, /моя запись/);
  });
}
