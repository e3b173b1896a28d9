import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../../test/kit/engines.ts';
import { deleteAccount, type Member, publish, register } from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';

const change = (member: Member, body: object) => member.send('PATCH', '/users/current/profile', body);

/** The display names of a person in a response. */
function namesIn(value: unknown, id: string): unknown[] {
  if (value === null || typeof value !== 'object') return [];
  const own = 'display_name' in value && 'id' in value && value.id === id ? [value.display_name] : [];
  return [...own, ...Object.values(value).flatMap((part) => namesIn(part, id))];
}

for (const engine of engines) {
  describe(`display names on ${engine}`, () => {
    test('a name stands wherever the person is shown, also where responses are cached', async () => {
      await using wall = await openWall(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      const post = await publish(anna, 'Вопрос');
      const reply = await publish(boris, 'Ответ', `/posts/${post.id}/replies`);
      await boris.send('PUT', `/users/current/mutes/${anna.id}`);
      const paths = [
        '/posts',
        `/posts/${post.id}`,
        `/posts/${reply.id}`,
        `/posts/${post.id}/thread`,
        `/posts/${reply.id}/thread`,
        `/posts/search?q=${encodeURIComponent('вопрос')}`,
        '/users/current/mutes',
        `/users/${anna.username}`,
      ];
      const shows = async (display_name: string | null): Promise<void> => {
        const visitor = wall.app.inject({ url: '/api/v1/posts' });
        for (const response of await Promise.all([visitor, ...paths.map((path) => boris.send('GET', path))])) {
          const names = new Set(namesIn(response.json(), anna.id));
          assert.deepEqual([...names], [display_name], response.raw.req.url ?? '');
        }
      };
      await shows(null);
      const changed = (await change(anna, { display_name: ' Аня  с Мира', about: 'Пеку\nхлеб' })).json();
      assert.deepEqual([changed.display_name, changed.about], ['Аня с Мира', 'Пеку хлеб']);
      await shows('Аня с Мира');
      assert.equal((await boris.send('GET', `/users/${anna.username}`)).json().about, 'Пеку хлеб');
      assert.equal((await publish(anna, 'Ещё')).owner.display_name, 'Аня с Мира');

      // A field that is left out stays.
      await change(anna, { about: null });
      await shows('Аня с Мира');
      assert.equal((await anna.send('GET', '/users/current')).json().about, null);
      await change(anna, { display_name: '' });
      await shows(null);
    });

    test('a bad name is refused with the reason, and nothing changes', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      await change(anna, { display_name: 'Аня' });
      const keeper = 'Это имя похоже на служебное. Выберите другое.';
      for (const [body, message] of [
        [{ display_name: 'ж'.repeat(33) }, 'Имя длиннее 32 знаков. Сократите его.'],
        [{ about: 'ж'.repeat(161) }, 'Текст о себе длиннее 160 знаков. Сократите его.'],
        [{ display_name: 'Администратор' }, keeper],
        [{ display_name: 'Анна, модератор' }, keeper],
        [{ display_name: 'Аdmin' }, keeper],
        [{ display_name: 'ПОДДЕРЖКА' }, keeper],
        [{ display_name: 'С\u0301тена' }, keeper],
        [{ display_name: 'Официальный ответ' }, keeper],
        [{ display_name: 'Боря', username: 'аня' }, 'Имя пользователя должно быть не меньше 5 символов'],
        [{}, undefined],
        [{ display_name: 5 }, undefined],
      ] as const) {
        const refused = await change(anna, body);
        assert.equal(refused.statusCode, 400, JSON.stringify(body));
        if (message !== undefined) assert.equal(refused.json().message, message);
      }
      for (const name of ['Стелла Модестова', 'Вадим', 'Света Мирная', 'Ростислав', 'Инна Стеновая']) {
        assert.equal((await change(anna, { display_name: name })).statusCode, 200, name);
      }
      assert.equal((await anna.send('GET', '/users/current')).json().display_name, 'Инна Стеновая');
    });

    test('a taken username changes neither the name', async () => {
      await using wall = await openWall(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      const refused = await change(anna, { username: boris.username, display_name: 'Боря' });
      assert.equal(refused.json().code, 'USERNAME_ALREADY_EXISTS');
      assert.equal((await anna.send('GET', '/users/current')).json().display_name, null);
    });

    test('a deleted account leaves no name behind', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      await change(anna, { display_name: 'Аня', about: 'Пеку хлеб' });
      await deleteAccount(wall, anna);
      const row = await wall.db.read
        .selectFrom('users')
        .select(['display_name', 'display_key', 'about'])
        .where('id', '=', Number(anna.id))
        .executeTakeFirstOrThrow();
      assert.deepEqual(row, { display_name: null, display_key: null, about: null });
    });
  });
}
