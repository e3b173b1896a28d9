import assert from 'node:assert/strict';
import { actions, registerModerator } from '../../../../test/kit/desk.ts';
import { deleteAccount, type Member, outcome, publish, register, renew } from '../../../../test/kit/member.ts';
import { runJobs } from '../../../../test/kit/run-jobs.ts';
import { type Wall } from '../../../../test/kit/wall.ts';
import { onWalls } from '../../../../test/kit/on-walls.ts';

const because = { reason: 'важно' };

const pin = (by: Member, id: string, until: number | null = null) =>
  by.send('PUT', '/moderation/pin', { post_id: id, until });

/** Requests the feed twice, because the second response is cached. */
async function feed(wall: Wall, query = '') {
  await wall.get(`/api/v1/posts${query}`);
  return (await wall.get(`/api/v1/posts${query}`)).json;
}

const pinnedId = async (wall: Wall): Promise<string | null> => (await feed(wall)).pinned?.id ?? null;

const onWall = onWalls({ RATE_LIMITS: 'off' }, 'the pinned post');

onWall('is on the first page of the feed only, beside posts and total as before', async (wall) => {
  const [moderator, anna] = [await registerModerator(wall), await register(wall)];
  const posts: Array<{ id: string }> = [];
  for (let i = 0; i < 4; i += 1) posts.push(await publish(anna, `запись ${i}`));
  const before = await feed(wall, '?limit=2');
  assert.equal(before.pinned, null);
  assert.deepEqual(await outcome(pin(moderator, posts[0]!.id)), [200]);
  const { pinned, ...rest } = await feed(wall, '?limit=2');
  assert.deepEqual({ ...rest, pinned: null }, before);
  assert.deepEqual(pinned, (await wall.get(`/api/v1/posts/${posts[0]!.id}`)).json);
  const others = [`?cursor=${before.next}`, '?page=2&limit=2', `?at=${posts[1]!.id}`, `?userId=${anna.id}`];
  for (const query of others) assert.ok(!('pinned' in (await feed(wall, query))), query);
  assert.ok(!('pinned' in (await anna.send('GET', '/posts?filter=liked')).json()));
  assert.match((await wall.get('/')).text, /"pinned":\{"id":/);

  await anna.send('POST', `/posts/${posts[0]!.id}/likes`);
  assert.equal((await feed(wall, '?limit=2')).pinned.actions.likes_count, 1);
  const own = (await anna.send('GET', '/posts?limit=2')).json();
  const liked = [own.pinned, ...own.posts].map(({ actions: { is_liked: isLiked } }) => isLiked);
  assert.deepEqual(liked, [true, false, false]);
  await anna.send('PATCH', `/posts/${posts[0]!.id}`, { text: 'исправлено' });
  assert.equal((await feed(wall, '?limit=2')).pinned.text, 'исправлено');
});

onWall('ends at its time without a write by anybody', async (wall) => {
  const [moderator, anna] = [await registerModerator(wall), await register(wall)];
  const { id } = await publish(anna, 'объявление');
  const until = wall.clock.now + 600;
  assert.deepEqual(await outcome(pin(moderator, id, wall.clock.now)), [400, 'INVALID_REQUEST']);
  await pin(moderator, id, until);
  assert.equal((await moderator.send('GET', '/moderation/pin')).json().pinned.until, until);
  wall.clock.now = until - 1;
  await runJobs(wall.db, wall.clock.now);
  assert.equal(await pinnedId(wall), id);
  wall.clock.now = until;
  await runJobs(wall.db, wall.clock.now);
  assert.equal(await pinnedId(wall), null);
  await renew(moderator);
  assert.equal((await moderator.send('GET', '/moderation/pin')).json().pinned, null);
  const unpinned = await moderator.send('DELETE', '/moderation/pin', because);
  assert.deepEqual([unpinned.statusCode, unpinned.json().act_id], [200, null]);
});

onWall('is not shown while the post is not on the wall, and comes back with it', async (wall) => {
  const [moderator, anna] = [await registerModerator(wall), await register(wall)];
  const { id } = await publish(anna, 'объявление');
  await pin(moderator, id);
  assert.equal(await pinnedId(wall), id);
  const act = (what: string) => moderator.send('POST', `/moderation/posts/${id}/${what}`, because);
  await act('removal');
  assert.equal(await pinnedId(wall), null);
  assert.equal((await moderator.send('GET', '/moderation/pin')).json().pinned, null);
  await act('restoration');
  assert.equal(await pinnedId(wall), id);
  await anna.send('DELETE', `/posts/${id}`);
  assert.equal(await pinnedId(wall), null);
  await anna.send('POST', `/posts/${id}/restoration`);
  assert.equal(await pinnedId(wall), id);
  await deleteAccount(wall, anna);
  assert.equal(await pinnedId(wall), null);
});

onWall('only root posts on the wall can be pinned, one at a time, once in the journal', async (wall) => {
  const [moderator, other] = [await registerModerator(wall), await registerModerator(wall)];
  const anna = await register(wall);
  const [one, two] = [await publish(anna, 'первая'), await publish(anna, 'вторая')];
  const reply = await publish(anna, 'ответ', `/posts/${one.id}/replies`);
  assert.deepEqual(await outcome(pin(moderator, reply.id)), [403, 'FORBIDDEN']);
  for (const id of ['999', 'x']) assert.deepEqual(await outcome(pin(moderator, id)), [404, 'NOT_FOUND']);
  const together = async (sent: Array<ReturnType<typeof pin>>) =>
    (await Promise.all(sent)).flatMap((response) => response.json().act_id ?? []);
  const [first] = await together([pin(moderator, one.id), pin(other, one.id), pin(moderator, one.id)]);
  const [second, ...more] = await together([pin(other, two.id), pin(moderator, two.id)]);
  assert.deepEqual(more, []);
  assert.equal(await pinnedId(wall), two.id);
  const undo = async (id: string) => (await moderator.send('POST', `/moderation/journal/${id}/undo`, because)).json();
  assert.equal((await undo(first)).act_id, null, 'the second pin has ended the first');
  const { act_id: unpin } = await undo(second);
  assert.equal(await pinnedId(wall), null);
  await undo(unpin);
  assert.equal(await pinnedId(wall), two.id);
  const unpins = [moderator, other].map((by) => by.send('DELETE', '/moderation/pin', {}));
  assert.equal((await together(unpins)).length, 1);
  assert.deepEqual(await actions(moderator), ['pin', 'pin', 'unpin', 'pin', 'unpin +']);
});
