import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '../../../test/kit/engines.ts';
import { deleteAccount, outcome, publish, register } from '../../../test/kit/member.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { openWall } from '../../../test/kit/wall.ts';

for (const engine of engines) {
  test(`posts are saved for oneself, in the order of saving, on ${engine}`, async () => {
    await using wall = await openWall(engine, { RATE_LIMITS: 'off', ACCESS_TOKEN_SECONDS: '100000' });
    const [anna, boris] = [await register(wall), await register(wall)];
    const [first, second] = [await publish(boris, 'Первая'), await publish(boris, 'Вторая')];
    const reply = await publish(anna, 'Ответ', `/posts/${first.id}/replies`);
    const save = (id: string) => anna.send('PUT', `/posts/${id}/bookmark`);
    const saved = async (query = ''): Promise<{ ids: string[]; next: string | null }> => {
      const { posts, next } = (await anna.send('GET', `/users/current/bookmarks${query}`)).json();
      return { ids: posts.map(({ id }: { id: string }) => id), next };
    };
    for (const id of [second.id, reply.id, first.id, second.id]) assert.deepEqual(await outcome(save(id)), [204]);
    assert.deepEqual(await saved(), { ids: [first.id, reply.id, second.id], next: null });
    const page = await saved('?limit=2');
    assert.deepEqual(page.ids, [first.id, reply.id]);
    assert.deepEqual(await saved(`?cursor=${page.next}`), { ids: [second.id], next: null });
    assert.deepEqual((await boris.send('GET', '/users/current/bookmarks')).json().posts, []);
    assert.deepEqual((await anna.send('GET', `/posts/${first.id}/bookmark`)).json(), { saved: true });

    assert.deepEqual(await outcome(anna.send('DELETE', `/posts/${first.id}/bookmark`)), [204]);
    assert.deepEqual((await anna.send('GET', `/posts/${first.id}/bookmark`)).json(), { saved: false });
    await boris.send('DELETE', `/posts/${second.id}`);
    assert.deepEqual((await saved()).ids, [reply.id]);
    assert.deepEqual(await outcome(save(second.id)), [404, 'NOT_FOUND']);
    await boris.send('POST', `/posts/${second.id}/restoration`);
    assert.deepEqual((await saved()).ids, [reply.id, second.id]);
    assert.equal((await wall.get('/api/v1/users/current/bookmarks')).status, 401);

    const exported = (await anna.send('GET', '/users/current/export')).json();
    assert.deepEqual(
      exported.bookmarks.map(({ post_id: id }: { post_id: string }) => id),
      [second.id, reply.id],
    );
  });

  test(`what was saved goes with the post and with the account, on ${engine}`, async () => {
    await using wall = await openWall(engine, { RATE_LIMITS: 'off', ACCESS_TOKEN_SECONDS: '100000' });
    const [anna, boris] = [await register(wall), await register(wall)];
    const [own, other] = [await publish(anna, 'Моя'), await publish(boris, 'Чужая')];
    for (const { id } of [own, other]) await anna.send('PUT', `/posts/${id}/bookmark`);
    await boris.send('PUT', `/posts/${own.id}/bookmark`);
    const left = () => wall.db.read.selectFrom('bookmarks').select(['user_id', 'post_id']).orderBy('id').execute();
    await boris.send('DELETE', `/posts/${other.id}`);
    wall.clock.now += 1_000;
    await runJobs(wall.db, wall.clock.now);
    assert.deepEqual(await left(), [
      { user_id: Number(anna.id), post_id: Number(own.id) },
      { user_id: Number(boris.id), post_id: Number(own.id) },
    ]);
    await deleteAccount(wall, anna);
    // The deletion ends before its lease does: another runner would begin it again.
    await runJobs(wall.db, wall.clock.now);
    wall.clock.now += 1_000;
    await runJobs(wall.db, wall.clock.now);
    assert.deepEqual(await left(), []);
  });
}
