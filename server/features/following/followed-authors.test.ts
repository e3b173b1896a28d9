import assert from 'node:assert/strict';
import { serverLimits } from '#contract/limits.ts';
import type { FollowedPage } from '#contract/notifications.ts';
import { deleteAccount, type Member, outcome, publish, register } from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';

const onWall = onWalls({ RATE_LIMITS: 'off' }, 'following an author');
const follow = (by: Member, { id }: { id: string }) => outcome(by.send('PUT', `/users/${id}/follow`));
const unfollow = (by: Member, { id }: { id: string }) => outcome(by.send('DELETE', `/users/${id}/follow`));

async function shownTo(by: Member): Promise<string[][]> {
  const { discussions }: Pick<FollowedPage, 'discussions'> = (await by.send('GET', '/users/current/following')).json();
  return discussions.map(({ post, reason }) => [post.text, reason]);
}

onWall('brings the author’s new root posts, which become discussions when they are followed too', async (wall) => {
  const [anna, boris, vera] = [await register(wall), await register(wall), await register(wall)];
  const early = await publish(boris, 'прежняя');
  const isFollowed = async (by: Member) => (await by.send('GET', `/users/${boris.username}`)).json().is_followed;
  assert.equal(await isFollowed(anna), false);
  for (let again = 0; again < 2; again += 1) assert.deepEqual(await follow(anna, boris), [204]);
  assert.deepEqual([await isFollowed(anna), await isFollowed(vera)], [true, false]);
  assert.equal('is_followed' in (await wall.get(`/api/v1/users/${boris.username}`)).json, false);
  await publish(boris, 'ответ', `/posts/${early.id}/replies`);
  const one = await publish(boris, 'раз');
  await publish(vera, 'чужая');
  await publish(boris, 'два');
  const asAuthors = [
    ['два', 'author'],
    ['раз', 'author'],
  ];
  assert.deepEqual(await shownTo(anna), asAuthors);
  assert.deepEqual(await shownTo(vera), []);
  const newIn = async () => {
    const { discussions } = (await anna.send('GET', '/users/current/following')).json();
    const { unread, kinds } = (await anna.send('GET', '/users/current/notifications')).json();
    return [discussions.map(({ new_count: count }: { new_count: number }) => count), unread, kinds];
  };
  assert.deepEqual(await newIn(), [[1, 1], 2, ['author', 'author']]);
  await anna.send('PUT', '/users/current/reading', { list: `thread:${one.id}`, post_id: one.id });
  assert.deepEqual(await newIn(), [[1, 0], 1, ['author', 'author']]);

  await anna.send('PUT', `/posts/${one.id}/follow`);
  assert.deepEqual(await shownTo(anna), asAuthors, 'nobody has replied');
  await publish(vera, 'ответ', `/posts/${one.id}/replies`);
  assert.deepEqual(await shownTo(anna), [['раз', 'discussion'], asAuthors[0]]);
  const pageOf = async (cursor = '') => (await anna.send('GET', `/users/current/following?limit=1${cursor}`)).json();
  const first = await pageOf();
  const second = await pageOf(`&cursor=${first.next}`);
  assert.deepEqual([second.discussions[0].post.text, second.next], ['два', null]);
  await anna.send('PUT', `/users/current/mutes/${boris.id}`);
  assert.deepEqual(await shownTo(anna), [['раз', 'discussion']], 'muting wins');
  await anna.send('DELETE', `/users/current/mutes/${boris.id}`);
  await boris.send('DELETE', `/posts/${one.id}`);
  assert.deepEqual(await shownTo(anna), [asAuthors[0]]);
  await boris.send('POST', `/posts/${one.id}/restoration`);
  for (let again = 0; again < 2; again += 1) assert.deepEqual(await unfollow(anna, boris), [204]);
  assert.deepEqual([await shownTo(anna), await isFollowed(anna)], [[['раз', 'discussion']], false]);
});

onWall('is refused for oneself, nobody and too many, and ends with the account', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  assert.deepEqual(await follow(anna, anna), [403, 'FORBIDDEN']);
  assert.deepEqual(await follow(anna, { id: '999999' }), [404, 'NOT_FOUND']);
  assert.deepEqual(await follow(anna, { id: 'x' }), [404, 'NOT_FOUND']);
  await follow(boris, anna);
  await publish(anna, 'раз');
  const rows = () => wall.db.read.selectFrom('followed_authors').select(['user_id', 'author_id']).execute();
  const first = { user_id: Number(anna.id), after_id: 0, created_at: 0 };
  for (let i = 0; i < serverLimits.followedAuthors; i += 1) {
    const author = await wall.person(`author_${i}`);
    await wall.db.tx(({ db }) =>
      db
        .insertInto('followed_authors')
        .values({ ...first, author_id: author })
        .execute(),
    );
  }
  assert.deepEqual(await follow(anna, boris), [400, 'INVALID_REQUEST']);
  await deleteAccount(wall, anna);
  assert.deepEqual(await shownTo(boris), []);
  assert.deepEqual(await follow(boris, anna), [404, 'NOT_FOUND']);
  for (let i = 0; i < 3; i += 1) await runJobs(wall.db, (wall.clock.now += 1_000));
  assert.deepEqual(await rows(), [{ user_id: Number(boris.id), author_id: Number(anna.id) }]);
});
