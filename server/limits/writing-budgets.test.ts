import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { registerModerator } from '../../test/kit/desk.ts';
import { engines } from '../../test/kit/engines.ts';
import { type Member, outcome, register } from '../../test/kit/member.ts';
import { openWall } from '../../test/kit/wall.ts';

/** Concurrent requests for one budget. More would wait too long on a busy PostgreSQL. */
const together = 15;

/** The number of admitted requests. Every other response must say when to try again. */
async function letThrough(count: number, send: (i: number) => Promise<LightMyRequestResponse>): Promise<number> {
  const responses: LightMyRequestResponse[] = [];
  while (responses.length < count) {
    const from = responses.length;
    const some = Array.from({ length: Math.min(together, count - from) }, (_, i) => send(from + i));
    responses.push(...(await Promise.all(some)));
  }
  for (const { statusCode, headers, body } of responses) {
    if (statusCode !== 429) assert.ok(statusCode < 300, body);
    else assert.ok(Number(headers['retry-after']) >= 1 && Number(headers['retry-after']) <= 60);
  }
  return responses.filter(({ statusCode }) => statusCode !== 429).length;
}

const check = (member: Member, name: string) => member.send('GET', `/users/${name}/validation`);

for (const engine of engines) {
  describe(`budgets of one person on ${engine}`, () => {
    test('are exact for edits, deletions, unlikes, mutes, bookmarks, follows, settings, reading positions, checks of names and suggestions', async () => {
      await using wall = await openWall(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      const { id } = (await anna.send('POST', '/posts', { text: 'запись' })).json();
      const ids = await Promise.all(Array.from({ length: 70 }, (_, i) => wall.post(Number(anna.id), `${i}`)));
      const burst = {
        edits: await letThrough(20, (i) => anna.send('PATCH', `/posts/${id}`, { text: `изменена ${i}` })),
        unlikes: await letThrough(70, () => boris.send('DELETE', `/posts/${id}/likes`)),
        deletions: await letThrough(70, (i) => anna.send('DELETE', `/posts/${ids[i]}`)),
        mutes: await letThrough(70, (i) => boris.send(i % 2 ? 'DELETE' : 'PUT', `/users/current/mutes/${anna.id}`)),
        bookmarks: await letThrough(70, (i) => boris.send(i % 2 ? 'DELETE' : 'PUT', `/posts/${id}/bookmark`)),
        follows: await letThrough(70, (i) => boris.send(i % 2 ? 'DELETE' : 'PUT', `/posts/${id}/follow`)),
        settings: await letThrough(70, () =>
          boris.send('PUT', '/users/current/notification-settings', { follow_replied: true, digest: 'off' }),
        ),
        readings: await letThrough(70, () =>
          boris.send('PUT', '/users/current/reading', { list: 'feed', post_id: id }),
        ),
        nameChecks: await letThrough(40, (i) => check(anna, `anna_${i}`)),
        suggestions: await letThrough(70, () => anna.send('GET', '/users/suggestions?q=b')),
      };
      assert.deepEqual(burst, {
        edits: 10,
        unlikes: 60,
        deletions: 60,
        mutes: 60,
        bookmarks: 60,
        follows: 60,
        settings: 60,
        readings: 60,
        nameChecks: 30,
        suggestions: 60,
      });
      // Budgets belong to one person, and recover with time.
      assert.deepEqual(await outcome(check(boris, 'boris_77')), [200]);
      wall.clock.now += 60;
      assert.deepEqual(await outcome(anna.send('PATCH', `/posts/${id}`, { text: 'снова' })), [200]);
      assert.deepEqual(await outcome(check(anna, 'anna_petrova')), [200]);
    });

    test('are exact for acts of moderators, whose last act allowed can still be undone', async () => {
      await using wall = await openWall(engine, { ACCESS_TOKEN_SECONDS: '100000' });
      const anna = await register(wall);
      const [boris, clara] = [await registerModerator(wall), await registerModerator(wall)];
      const ids = await Promise.all(Array.from({ length: 35 }, (_, i) => wall.post(Number(anna.id), `${i}`)));
      const remove = (by: Member, id: number | undefined) =>
        by.send('POST', `/moderation/posts/${id}/removal`, { reason: 'спам' });
      assert.equal(await letThrough(35, (i) => remove(boris, ids[i])), 30);

      const { reports, acts } = {
        ...(await boris.send('GET', '/moderation/reports')).json(),
        ...(await boris.send('GET', '/moderation/journal')).json(),
      };
      assert.deepEqual([reports, acts.length], [[], 10], 'reading goes on');
      const undone = boris.send('POST', `/moderation/journal/${acts[0].id}/undo`, { reason: 'ошибка' });
      assert.deepEqual(await outcome(undone), [200]);
      const refused = await remove(boris, ids.at(-1));
      assert.match(refused.json().message, /под вашим именем вошёл кто-то другой/);
      assert.deepEqual(await outcome(remove(clara, ids.at(-1))), [200]);

      // The same act again: there is nothing to do, but it counts.
      for (let spent = 30; spent < 300; spent += 30) {
        wall.clock.now += 60;
        assert.equal(await letThrough(30, () => remove(boris, ids[0])), 30);
      }
      wall.clock.now += 60;
      const { statusCode, headers } = await remove(boris, ids[0]);
      assert.equal(statusCode, 429);
      assert.ok(Number(headers['retry-after']) > 23 * 3_600);
    });

    test('are checked before the text; a refused text spends nothing', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      const tooLong = { text: 'ж'.repeat(501) };
      for (let i = 0; i < 6; i += 1)
        assert.deepEqual(await outcome(anna.send('POST', '/posts', tooLong)), [400, 'INVALID_REQUEST']);
      for (let i = 0; i < 5; i += 1)
        assert.deepEqual(await outcome(anna.send('POST', '/posts', { text: `${i}` })), [201]);
      assert.deepEqual(await outcome(anna.send('POST', '/posts', tooLong)), [429, 'TOO_MANY_REQUESTS']);
      const [post] = (await wall.get('/api/v1/posts')).json.posts;
      for (let i = 0; i < 11; i += 1) {
        assert.deepEqual(await outcome(anna.send('PATCH', `/posts/${post.id}`, tooLong)), [400, 'INVALID_REQUEST']);
      }
      for (let i = 0; i < 10; i += 1) await anna.send('PATCH', `/posts/${post.id}`, { text: `изменена ${i}` });
      assert.deepEqual(await outcome(anna.send('PATCH', `/posts/${post.id}`, tooLong)), [429, 'TOO_MANY_REQUESTS']);
    });
  });
}
