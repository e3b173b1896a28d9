import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { journal, registerModerator } from '../../../../test/kit/desk.ts';
import { engines } from '../../../../test/kit/engines.ts';
import { deleteAccount, type Member, outcome, publish, register, renew } from '../../../../test/kit/member.ts';
import { runJobs } from '../../../../test/kit/run-jobs.ts';
import { openWall, type Wall } from '../../../../test/kit/wall.ts';

const because = { reason: 'важно' };

const pin = (by: Member, id: string, until: number | null = null) =>
  by.send('PUT', '/moderation/pin', { post_id: id, until });

/** Twice: the second response is cached. */
async function feed(wall: Wall, query = '') {
  await wall.get(`/api/v1/posts${query}`);
  return (await wall.get(`/api/v1/posts${query}`)).json;
}

const pinnedId = async (wall: Wall): Promise<string | null> => (await feed(wall)).pinned?.id ?? null;

for (const engine of engines) {
  describe(`the pinned post on ${engine}`, () => {
    test('is on the first page of the feed only, beside posts and total as before, the same for everybody', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [moderator, anna] = [await registerModerator(wall), await register(wall)];
      const posts: Array<{ id: string }> = [];
      for (let i = 0; i < 4; i += 1) posts.push(await publish(anna, `запись ${i}`));
      const before = await feed(wall, '?limit=2');
      assert.equal(before.pinned, null);
      assert.deepEqual(await outcome(pin(moderator, posts[0]!.id)), [200]);
      const { pinned, ...rest } = await feed(wall, '?limit=2');
      assert.deepEqual({ ...rest, pinned: null }, before);
      assert.deepEqual(pinned, (await wall.get(`/api/v1/posts/${posts[0]!.id}`)).json);
      const whole = await feed(wall);
      assert.deepEqual(
        whole.posts.map(({ id }: { id: string }) => id),
        posts.map(({ id }) => id).toReversed(),
      );
      const others = [`?cursor=${before.next}`, '?page=2&limit=2', `?at=${posts[1]!.id}`, `?userId=${anna.id}`];
      for (const query of others) assert.ok(!('pinned' in (await feed(wall, query))), query);
      assert.ok(!('pinned' in (await anna.send('GET', '/posts?filter=liked')).json()));
      assert.match((await wall.get('/')).text, /"pinned":\{"id":/);

      await anna.send('POST', `/posts/${posts[0]!.id}/likes`);
      assert.equal((await feed(wall, '?limit=2')).pinned.actions.likes_count, 1);
      const own = (await anna.send('GET', '/posts?limit=2')).json();
      assert.deepEqual(
        [own.pinned.actions.is_liked, ...own.posts.map((post: typeof own.pinned) => post.actions.is_liked)],
        [true, false, false],
      );
      await anna.send('PATCH', `/posts/${posts[0]!.id}`, { text: 'исправлено' });
      assert.equal((await feed(wall, '?limit=2')).pinned.text, 'исправлено');
    });

    test('ends at its time without a write by anybody', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
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

    test('is not shown while the post is not on the wall, and comes back with it', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
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

    test('only root posts on the wall can be pinned, one at a time, once in the journal', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [moderator, other, anna] = [
        await registerModerator(wall),
        await registerModerator(wall),
        await register(wall),
      ];
      const [one, two] = [await publish(anna, 'первая'), await publish(anna, 'вторая')];
      const reply = await publish(anna, 'ответ', `/posts/${one.id}/replies`);
      assert.deepEqual(await outcome(pin(moderator, reply.id)), [403, 'FORBIDDEN']);
      for (const id of ['999', 'x']) assert.deepEqual(await outcome(pin(moderator, id)), [404, 'NOT_FOUND']);
      const together = async (sent: Array<ReturnType<typeof pin>>) => {
        const responses = await Promise.all(sent);
        return responses.flatMap((response) => response.json().act_id ?? []);
      };
      const [first] = await together([pin(moderator, one.id), pin(other, one.id), pin(moderator, one.id)]);
      const [second, ...more] = await together([pin(other, two.id), pin(moderator, two.id)]);
      assert.deepEqual(more, []);
      assert.equal(await pinnedId(wall), two.id);
      const undo = async (id: string) =>
        (await moderator.send('POST', `/moderation/journal/${id}/undo`, because)).json();
      assert.equal((await undo(first)).act_id, null, 'the second pin has ended the first');
      const { act_id: unpin } = await undo(second);
      assert.equal(await pinnedId(wall), null);
      await undo(unpin);
      assert.equal(await pinnedId(wall), two.id);
      const unpins = [moderator, other].map((by) => by.send('DELETE', '/moderation/pin', {}));
      assert.equal((await together(unpins)).length, 1);
      assert.deepEqual(
        (await journal(moderator)).map(({ action, target, undo: can }) => [action, target, can]),
        [
          ['pin', one.id, false],
          ['pin', two.id, false],
          ['unpin', two.id, false],
          ['pin', two.id, false],
          ['unpin', two.id, true],
        ],
      );
    });
  });
}
