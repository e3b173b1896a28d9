import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen } from '../../../test/kit/screen/open-screen.ts';
import { openSeeded } from '../../../test/kit/screen/seeded.ts';
import { signedIn } from '../../../test/kit/signed-in.ts';

test('a visitor’s open page leads to the sign-in when the wall is closed', async () => {
  await using wall = await openSeeded();
  await wall.seed.appoint(wall.anna, 'owner');
  await wall.seed.posts([{ by: wall.me, text: 'Клубника поспела' }]);
  const screen = await openScreen(wall, '/');
  await screen.findByText('Клубника поспела');
  const { token } = await signedIn(wall.db, wall.me);
  const settings = { name: 'Стена', line: '', contact: 'dvor@example.org', registration: 'open', readers: 'members' };
  const closed = await wall.app.inject({
    method: 'PUT',
    url: '/api/v1/keep/settings',
    headers: { authorization: `Bearer ${token}` },
    payload: settings,
  });
  assert.equal(closed.statusCode, 200, closed.body);
  await screen.until(() => assert.deepEqual(screen.loads, ['/']));
  await using again = await screen.reload();
  await again.findByRole('heading', { name: /Нужно войти|Войдите/ });
  assert.equal(again.queryByText('Клубника поспела'), null);
});
