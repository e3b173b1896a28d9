import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../../test/kit/engines.ts';
import { outcome, publish, register, renew } from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';

for (const engine of engines) {
  describe(`limits of writing on ${engine}`, () => {
    test('an idempotency key writes once a day, whatever the body', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const [anna, boris] = [await register(wall), await register(wall)];
      const key = { 'idempotency-key': 'ключ'.replace(/./g, 'k') };
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => anna.send('POST', '/posts', { text: 'однажды' }, key)),
      );
      assert.ok(responses.every(({ statusCode }) => statusCode === 201));
      assert.equal(new Set(responses.map((response) => response.json().id)).size, 1);
      const { id } = responses[0]!.json();
      assert.equal((await anna.send('POST', '/posts', { text: 'другое' }, key)).json().id, id);
      assert.equal((await anna.send('POST', `/posts/${id}/replies`, { text: 'ответ' }, key)).json().id, id);
      // The same key of another person is a different key.
      assert.notEqual((await boris.send('POST', '/posts', { text: 'однажды' }, key)).json().id, id);
      assert.equal((await wall.get('/api/v1/posts')).json.total, 2);

      assert.deepEqual(await outcome(anna.send('DELETE', `/posts/${id}`)), [204]);
      assert.deepEqual(await outcome(anna.send('POST', '/posts', { text: 'однажды' }, key)), [404, 'NOT_FOUND']);
      wall.clock.now += 24 * 3_600;
      await renew(anna);
      assert.equal((await anna.send('POST', '/posts', { text: 'назавтра' }, key)).statusCode, 201);
      assert.deepEqual(await outcome(anna.send('POST', '/posts', { text: 'я' }, { 'idempotency-key': 'а б' })), [
        400,
        'INVALID_REQUEST',
      ]);
    });

    test('a refused post does not use its idempotency key', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const anna = await register(wall);
      for (let i = 0; i < 5; i += 1) await publish(anna, `запись ${i}`);
      const key = { 'idempotency-key': 'k1' };
      assert.deepEqual(await outcome(anna.send('POST', '/posts', { text: 'шестая' }, key)), [429, 'TOO_MANY_REQUESTS']);
      assert.deepEqual(await outcome(anna.send('POST', '/posts/999/replies', { text: 'куда' }, key)), [
        429,
        'TOO_MANY_REQUESTS',
      ]);
      wall.clock.now += 60;
      assert.deepEqual(await outcome(anna.send('POST', '/posts/999/replies', { text: 'куда' }, key)), [
        404,
        'NOT_FOUND',
      ]);
      assert.deepEqual(await outcome(anna.send('POST', '/posts', { text: 'шестая' }, key)), [201]);
    });

    test('budgets are exact under bursts, and repeated requests with a key are free', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const [anna, boris] = [await register(wall), await register(wall)];
      const first = await anna.send('POST', '/posts', { text: 'первая' }, { 'idempotency-key': 'k' });
      const burst = await Promise.all(
        Array.from({ length: 30 }, (_, i) => anna.send('POST', '/posts', { text: `запись ${i}` })),
      );
      assert.equal(burst.filter(({ statusCode }) => statusCode === 201).length, 4);
      const refused = burst.find(({ statusCode }) => statusCode === 429)!;
      assert.equal(refused.headers['retry-after'], '60');
      assert.equal(
        (await anna.send('POST', '/posts', { text: 'первая' }, { 'idempotency-key': 'k' })).json().id,
        first.json().id,
      );

      const ids = await Promise.all(Array.from({ length: 70 }, (_, i) => wall.post(Number(anna.id), `${i}`)));
      const likes = await Promise.all(ids.map((id) => boris.send('POST', `/posts/${id}/likes`)));
      assert.equal(likes.filter(({ statusCode }) => statusCode === 200).length, 60);
      assert.equal((await boris.send('GET', '/posts?filter=liked')).json().total, 60);

      const reports = await Promise.all(
        ids.slice(0, 30).map((id) => boris.send('POST', `/posts/${id}/reports?reason_id=spam`)),
      );
      assert.equal(reports.filter(({ statusCode }) => statusCode === 204).length, 20);
    });

    test('allows at most a hundred posts a day', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const anna = await register(wall);
      for (let i = 0; i < 20; i += 1) {
        wall.clock.now += 60;
        if (i % 9 === 0) await renew(anna);
        for (let j = 0; j < 5; j += 1) await publish(anna, `${i} ${j}`);
      }
      wall.clock.now += 60;
      await renew(anna);
      const refused = await anna.send('POST', '/posts', { text: 'сто первая' });
      assert.equal(refused.statusCode, 429);
      assert.equal(Number(refused.headers['retry-after']), 24 * 3_600 - 20 * 60);
    });
  });
}
