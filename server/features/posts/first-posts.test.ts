import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { registerModerator } from '../../../test/kit/desk.ts';
import { engines } from '../../../test/kit/engines.ts';
import { type Member, outcome, publish, register, renew } from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';

const waiting = async (by: Member): Promise<string[]> => {
  const response = await by.send('GET', '/posts/waiting');
  assert.equal(response.statusCode, 200, response.body);
  return response.json().posts.map(({ text }: { text: string }) => text);
};

for (const engine of engines) {
  describe(`first posts of newcomers on ${engine}`, () => {
    test('wait until somebody else replies, for the signed-in', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [anna, boris, clara] = [await register(wall), await register(wall), await register(wall)];
      const first = await publish(anna, 'всем привет');
      await publish(anna, 'вторая');
      await publish(boris, 'и я здесь');
      assert.deepEqual(await waiting(clara), ['и я здесь', 'всем привет']);
      // One's own is nothing to reply to.
      assert.deepEqual(await waiting(anna), ['и я здесь']);
      assert.equal((await wall.get('/api/v1/posts/waiting')).status, 401);

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

    test('leave after three days, and while they are not on the wall', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
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
  });
}
