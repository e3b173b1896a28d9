import assert from 'node:assert/strict';
import type { Aside, Post } from '#contract/posts.ts';
import { publish, register } from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { type Wall } from '../../../test/kit/wall.ts';
import { deleteUser } from '../account/account-store.ts';
import { likePost } from '../posts/likes.ts';
import { deleteOwnPost, undoDeletion } from '../posts/own-deletion.ts';
import { lockPin, setPin } from './pinned.ts';
import { lockPost } from '../posts/post-writes.ts';

const onWall = onWalls();

const lists = ['/api/v1/posts', '/api/v1/posts/discussed'];

interface Got {
  aside: Aside;
  pinned: Post | null;
  posts: Post[];
}

/** The right column for visitors. It is the same from the cache and beside all lists, which show different posts. */
async function column(wall: Wall): Promise<Got> {
  const all: Got[] = [];
  for (const path of [...lists, ...lists, ...lists]) all.push((await wall.get(`${path}?aside=true&limit=1`)).json);
  for (const { aside, pinned } of all)
    assert.deepEqual({ aside, pinned }, { aside: all[0]!.aside, pinned: all[0]!.pinned });
  return all[0]!;
}

const idsOf = async (wall: Wall): Promise<number[]> => (await column(wall)).aside.discussed.map(({ id }) => Number(id));

const pin = (wall: Wall, post: number) =>
  wall.db.tx(async (tx) => {
    await lockPin(tx);
    await setPin(tx, { post, until: null }, wall.clock.now);
  });

/** Root posts, oldest first, in which two people have talked, so that the last one is lifted last. */
async function openTalks(wall: Wall, count: number) {
  const [anna, boris] = [await wall.person('anna_k'), await wall.person('boris_p')];
  const roots: number[] = [];
  for (let i = 0; i < count; i += 1) roots.push(await wall.post(anna, `Разговор ${i}`));
  for (const root of roots) {
    await wall.reply(boris, root, 'Раз');
    await wall.reply(anna, root, 'Два');
  }
  await wall.post(await wall.person('vera_s'), 'Первая в ленте');
  return { anna, boris, roots };
}

onWall('the right column has the discussions lifted last and the pinned post', async (wall) => {
  assert.deepEqual(await column(wall).then(({ aside, pinned }) => ({ aside, pinned })), {
    aside: { discussed: [], about: null, following: [] },
    pinned: null,
  });
  const { anna, boris, roots } = await openTalks(wall, 6);
  await pin(wall, roots[0]!);
  const { aside, pinned } = await column(wall);
  assert.equal(pinned?.id, String(roots[0]));
  assert.deepEqual(
    aside.discussed.map(({ id }) => Number(id)),
    roots.slice(1).toReversed(),
  );
  assert.deepEqual(aside.discussed[0], {
    id: String(roots[5]),
    owner_id: String(anna),
    text: 'Разговор 5',
    lifted_by: String(anna),
    thread_count: 2,
  });
  assert.deepEqual([aside.about, aside.following], [null, []]);
  const long = await wall.post(anna, `${'слово '.repeat(40)}конец`);
  for (const by of [boris, anna]) await wall.reply(by, long, 'Ответ');
  assert.match((await column(wall)).aside.discussed[0]!.text, /^(слово ){10,}слово…$/);
});

onWall('each change of what is in the right column changes the next response', async (wall) => {
  const { anna, boris, roots } = await openTalks(wall, 3);
  const [first, second, third] = roots as [number, number, number];
  assert.deepEqual(await idsOf(wall), [third, second, first]);
  await wall.reply(boris, first, 'Подняли');
  assert.deepEqual(await idsOf(wall), [first, third, second]);
  assert.equal((await column(wall)).aside.discussed[0]!.thread_count, 3);
  await wall.reply(boris, first, 'Не подняли, но ответили');
  assert.equal((await column(wall)).aside.discussed[0]!.thread_count, 4);
  await wall.db.tx(async (tx) => deleteOwnPost(tx, (await lockPost(tx, first))!, wall.clock.now));
  assert.deepEqual(await idsOf(wall), [third, second]);
  await wall.db.tx((tx) => undoDeletion(tx, first, { userId: anna, now: wall.clock.now }));
  assert.deepEqual(await idsOf(wall), [first, third, second]);
  for (const post of [second, third]) {
    await pin(wall, post);
    assert.equal((await column(wall)).pinned?.id, String(post));
  }
  await wall.remove(third);
  assert.equal((await column(wall)).pinned, null);
  const other = await wall.post(boris, 'Своя');
  await wall.post(anna, 'Снова первая в ленте');
  assert.deepEqual(await idsOf(wall), [first, second]);
  for (const by of [anna, boris]) await wall.reply(by, other, 'Ответ');
  assert.deepEqual(await idsOf(wall), [other, first, second]);
  await wall.db.tx((tx) => deleteUser(tx, boris, wall.clock.now));
  assert.deepEqual(await idsOf(wall), [first, second]);
});

onWalls({ RATE_LIMITS: 'off' })(
  'a person gets the followed discussions with something new, and visitors none of it',
  async (wall) => {
    const [me, boris] = [await register(wall), await register(wall)];
    const trap = await publish(boris, '"following":[]}} "is_liked":false');
    const roots: Post[] = [];
    for (let i = 0; i < 6; i += 1) {
      roots.unshift(await publish(boris, `Слежу ${i}`));
      await publish(me, 'Тоже', `/posts/${roots[0]!.id}/replies`);
      await publish(boris, 'Новое', `/posts/${roots[0]!.id}/replies`);
    }
    for (const by of [me, boris]) await publish(by, 'Ответ', `/posts/${trap.id}/replies`);
    await wall.db.tx((tx) => likePost(tx, { postId: Number(trap.id), userId: Number(me.id), now: 1 }));
    const mine = async (path: string): Promise<Got> => (await me.send('GET', `${path}?aside=true`)).json();
    const newIn = async (path: string) => (await mine(path)).aside.following.map(({ id, new_count: n }) => [id, n]);

    const paths = ['/posts', '/posts/discussed', '/users/current/following'];
    const expected = [trap, ...roots.slice(0, 4)].map(({ id }) => [id, 1]);
    for (const path of [...paths, ...paths, ...paths]) assert.deepEqual(await newIn(path), expected, path);
    const { posts, aside } = await mine('/posts');
    assert.equal(posts.find(({ id }) => id === trap.id)?.actions.is_liked, true);
    assert.deepEqual(aside.following[0], {
      id: trap.id,
      owner_id: boris.id,
      text: '"following":[]}} "is_liked":false',
      new_count: 1,
    });
    assert.deepEqual((await column(wall)).aside.following, []);
    assert.deepEqual((await boris.send('GET', '/posts?aside=true')).json().aside.following.length, 5);

    // A discussion that was read to the end is not new any more, so the next one is listed in its place.
    const last = await publish(boris, 'Последний', `/posts/${roots[0]!.id}/replies`);
    assert.deepEqual((await newIn('/posts'))[0], [roots[0]!.id, 2]);
    await me.send('PUT', '/users/current/reading', { list: `thread:${roots[0]!.id}`, post_id: last.id });
    assert.deepEqual(
      await newIn('/posts'),
      [trap, ...roots.slice(1, 5)].map(({ id }) => [id, 1]),
    );
    await me.send('DELETE', `/posts/${trap.id}/follow`);
    assert.deepEqual(
      await newIn('/posts'),
      roots.slice(1, 6).map(({ id }) => [id, 1]),
    );
  },
);

onWall('nothing changes for those who do not ask for it', async (wall) => {
  const { roots } = await openTalks(wall, 3);
  await pin(wall, roots[1]!);
  for (const path of lists) {
    const { text, json } = await wall.get(path);
    const { aside, ...rest } = (await wall.get(`${path}?aside=true`)).json;
    assert.ok(aside);
    if (!('pinned' in json)) delete rest.pinned;
    assert.equal(text, JSON.stringify(rest));
  }
  const { next, previous } = (await wall.get('/api/v1/posts?limit=1&page=2')).json;
  for (const query of [
    `cursor=${next}`,
    `before=${previous}`,
    `at=${roots[1]}`,
    'page=2',
    'userId=1',
    'userId=1&filter=replies',
    'filter=liked',
  ]) {
    assert.equal((await wall.get(`/api/v1/posts?aside=true&${query}`)).status, 400, query);
  }
  assert.equal((await wall.get(`/api/v1/posts/discussed?aside=true&cursor=${next}`)).status, 400);
  assert.equal((await wall.get('/api/v1/posts?aside=yes')).status, 400);
});
