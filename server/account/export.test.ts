import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '../../test/engines.ts';
import { register } from '../../test/member.ts';
import { hide } from '../../test/order.ts';
import { openWall } from '../../test/wall.ts';

for (const engine of engines) {
  test(`the download holds exactly one’s own on ${engine}`, async (t) => {
    const wall = await openWall(engine);
    t.after(wall.close);
    const [anna, boris] = [await register(wall), await register(wall)];
    const began = wall.clock.now;
    const write = async (member: typeof anna, path: string, text: string) =>
      (await member.send('POST', path, { text })).json();
    const post = await write(anna, '/posts', 'моя запись');
    const changed = await write(anna, '/posts', 'с опечаткй');
    await anna.send('PATCH', `/posts/${changed.id}`, { text: 'с опечаткой' });
    const removed = await write(anna, '/posts', 'удалённая');
    await anna.send('DELETE', `/posts/${removed.id}`);
    const hidden = await write(anna, '/posts', 'скрытая');
    await hide(wall, hidden.id, 'не к месту');
    const his = await write(boris, '/posts', 'его запись');
    const reply = await write(anna, `/posts/${his.id}/replies`, 'мой ответ');
    await write(boris, `/posts/${post.id}/replies`, 'его ответ');
    await anna.send('POST', `/posts/${his.id}/likes`);
    await boris.send('POST', `/posts/${post.id}/likes`);

    const response = await anna.send('GET', '/users/current/export');
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers['cache-control'], 'no-store');
    assert.match(String(response.headers['content-disposition']), /^attachment; filename=".+\.json"$/);
    assert.deepEqual(response.json(), {
      account: { id: anna.id, username: anna.username, email: anna.email, created_at: began },
      posts: [
        { id: post.id, text: 'моя запись', created_at: began, is_modified: false },
        { id: changed.id, text: 'с опечаткой', created_at: began, is_modified: true },
      ],
      replies: [{ id: reply.id, text: 'мой ответ', created_at: began, is_modified: false, replied_post_id: his.id }],
      likes: [{ post_id: his.id, created_at: began }],
      hidden: [
        {
          id: hidden.id,
          text: 'скрытая',
          created_at: began,
          is_modified: false,
          replied_post_id: null,
          hidden_at: began,
          reason: 'не к месту',
        },
      ],
    });
    assert.equal((await wall.get('/api/v1/users/current/export')).status, 401);
  });
}
