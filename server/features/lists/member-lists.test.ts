import assert from 'node:assert/strict';
import { registerModerator } from '../../../test/kit/desk.ts';
import { deleteAccount, type Member, outcome, publish, register, renew } from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { recount } from '../../commands/verify-data/recount.ts';

const onWall = onWalls({ RATE_LIMITS: 'off', ACCESS_TOKEN_SECONDS: '100000' });

onWall('posts are saved for oneself, in the order of saving', async (wall) => {
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

  const exported = (await anna.send('GET', '/users/current/export')).json();
  assert.deepEqual(
    exported.bookmarks.map(({ post_id: id }: { post_id: string }) => id),
    [second.id, reply.id],
  );
});

onWall('what was saved goes with the post, and choices with the account', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  const [own, other] = [await publish(anna, 'Моя'), await publish(boris, 'Чужая')];
  for (const { id } of [own, other]) await anna.send('PUT', `/posts/${id}/bookmark`);
  await boris.send('PUT', `/posts/${own.id}/bookmark`);
  await boris.send('PUT', `/users/current/mutes/${anna.id}`);
  await anna.send('DELETE', `/posts/${own.id}/follow`);
  const left = async () =>
    (await wall.db.read.selectFrom('bookmarks').selectAll().orderBy('id').execute()).map((row) => String(row.post_id));
  const muted = async () => (await boris.send('GET', '/users/current/mutes')).json().users.length;
  await boris.send('DELETE', `/posts/${other.id}`);
  wall.clock.now += 1_000;
  await runJobs(wall.db, wall.clock.now);
  assert.deepEqual([await left(), await muted()], [[own.id, own.id], 1]);
  await deleteAccount(wall, anna);
  assert.equal(await muted(), 0);
  // The job of the deletion ends before the clock moves: another runner would take over a job whose lock has expired.
  await runJobs(wall.db, wall.clock.now);
  wall.clock.now += 1_000;
  await runJobs(wall.db, wall.clock.now);
  assert.deepEqual(await left(), []);
  assert.deepEqual(await wall.db.read.selectFrom('follows').selectAll().execute(), []);
  const row = { user_id: Number(anna.id), list: 0, post_id: Number(own.id), updated_at: 1 };
  await wall.db.tx(({ db }) => db.insertInto('reading_positions').values(row).execute());
  const found = { what: 'reading_positions: учётная запись удалена', id: Number(anna.id), stored: 1, counted: 0 };
  assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), [found]);
});

const waiting = async (by: Member): Promise<string[]> => {
  const response = await by.send('GET', '/posts/waiting');
  assert.equal(response.statusCode, 200, response.body);
  return response.json().posts.map(({ text }: { text: string }) => text);
};

onWall('first posts of newcomers wait until somebody else replies, for the signed-in', async (wall) => {
  const [anna, boris, clara] = [await register(wall), await register(wall), await register(wall)];
  const first = await publish(anna, 'всем привет');
  await publish(anna, 'вторая');
  await publish(boris, 'и я здесь');
  assert.deepEqual(await waiting(clara), ['и я здесь', 'всем привет']);
  // A person's own post is not listed for this person.
  assert.deepEqual(await waiting(anna), ['и я здесь']);

  const path = `/posts/${first.id}/replies`;
  const own = await publish(anna, 'забыла сказать', path);
  assert.deepEqual(await waiting(clara), ['и я здесь', 'всем привет']);
  const reply = await publish(boris, 'привет', `/posts/${own.id}/replies`);
  assert.deepEqual(await waiting(clara), ['и я здесь']);
  await publish(anna, 'спасибо', path);
  assert.deepEqual(await waiting(clara), ['и я здесь']);
  await boris.send('DELETE', `/posts/${reply.id}`);
  assert.deepEqual(await waiting(clara), ['и я здесь', 'всем привет']);
});

onWall('first posts of newcomers leave after three days, and while they are not on the wall', async (wall) => {
  const [moderator, anna, boris] = [await registerModerator(wall), await register(wall), await register(wall)];
  const { id } = await publish(anna, 'всем привет');
  await moderator.send('POST', `/moderation/posts/${id}/removal`, { reason: 'Ошибка' });
  assert.deepEqual(await waiting(boris), []);
  assert.deepEqual(
    await outcome(moderator.send('POST', `/moderation/posts/${id}/restoration`, { reason: 'Ошибка' })),
    [200],
  );
  assert.deepEqual(await waiting(boris), ['всем привет']);
  wall.clock.now += 3 * 86_400;
  await renew(boris);
  assert.deepEqual(await waiting(boris), []);
});
