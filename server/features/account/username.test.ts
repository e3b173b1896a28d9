import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../../test/kit/engines.ts';
import { type Member, outcome, register } from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';
import { renameUser } from './store.ts';

const check = (member: Member, name: string) => member.send('GET', `/users/${encodeURIComponent(name)}/validation`);
const rename = (member: Member, username: string) => member.send('PATCH', '/users/current/profile', { username });

const unfit = {
  anna: 'Имя пользователя должно быть не меньше 5 символов',
  [`a${'b'.repeat(32)}`]: 'Имя пользователя должно быть не большое 32 символов',
  ['ю'.repeat(300)]: 'Имя пользователя должно быть не большое 32 символов',
  'anna petrova': 'Введите корректное имя пользователя',
  анна_петрова: 'Введите корректное имя пользователя',
  'anna-petrova': 'Введите корректное имя пользователя',
  // The Kelvin sign, whose lower case is an ASCII letter.
  'anna_\u212aova': 'Введите корректное имя пользователя',
  'anna_petrova\n': 'Введите корректное имя пользователя',
};

for (const engine of engines) {
  describe(`a username on ${engine}`, () => {
    test('is refused with the reason when it is invalid, by check and change', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      for (const [name, message] of Object.entries(unfit)) {
        for (const refused of [await check(anna, name), await rename(anna, name)]) {
          assert.equal(refused.statusCode, 400, name);
          assert.deepEqual(refused.json(), { code: 'INVALID_USERNAME', message });
        }
      }
      assert.equal((await rename(anna, '')).json().message, 'Введите имя пользователя');
      assert.equal((await anna.send('GET', '/users/current')).json().username, anna.username);
    });

    test('is taken when it misleads or collides with a path of the site', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      for (const name of [
        'admin',
        'Moderator',
        'support',
        'settings',
        'current',
        'suggestions',
        'a_d_m_i_n',
        'Admin_1',
        '__stena__',
        // Words for operators, anywhere in a name.
        'stena_admin',
        'support_stena',
        'administratova',
        'the_real_moderator_77',
        'stena_2026',
        'vasya_operator',
        'techsupport',
        // Look-alikes.
        'Adm1n_anna',
        'adrnin_anna',
        'AdMlN_anna',
        'supp0rt_team',
        'm0derat0r',
        'offlcial_news',
        'sett1ngs',
        'nu11_',
        'vvall_team',
        'vvebmaster',
        // Repeated letters.
        'modderator',
        'addmin_anna',
        'suupport',
        // Several words for the wall and those who keep it.
        'root_wall',
        'help_desk',
        'abuse_team',
        'teamwall7',
        'noreply',
        'no_reply',
        // Russian words for operators.
        'redakciya',
        'redaktsiya',
        'Redaktor_1',
        'administraciya',
        'administratsiya',
        'moderaciya_1',
        'podderzhka',
        'sluzhba_poderjki',
      ]) {
        for (const refused of [await check(anna, name), await rename(anna, name)]) {
          assert.equal(refused.statusCode, 400, name);
          assert.deepEqual(refused.json(), {
            code: 'USERNAME_ALREADY_EXISTS',
            message: 'Это имя похоже на служебное. Выберите другое.',
          });
        }
      }
    });

    test('is free when only a part of it resembles a reserved word', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const anna = await register(wall);
      for (const name of [
        'nastena_92',
        'badminton',
        'vlad_minin',
        'vladminin',
        'operetta',
        'comer_corner',
        'stepan',
        'anna_1',
        'allison',
        'moderna',
        'savva_77',
        'stafeev',
        'fed_1977',
        'wai_wai',
        'wallace',
        'teammate',
        'rootbeer',
        'redkina',
        'poddubny',
      ]) {
        assert.deepEqual(await outcome(check(anna, name)), [200], name);
      }
    });

    test('stays with its owner when it became reserved later', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      await wall.db.tx((tx) => renameUser(tx, Number(anna.id), 'anna_admin'));
      for (const name of ['anna_admin', 'Anna_Admin']) {
        assert.deepEqual(await outcome(check(anna, name)), [200]);
        assert.deepEqual(await outcome(rename(anna, name)), [200]);
      }
    });

    test('belongs to one person in any case, and is available to that person', async () => {
      await using wall = await openWall(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      assert.deepEqual((await check(anna, 'Anna_Petrova')).json(), { available: true });
      assert.deepEqual((await rename(anna, 'Anna_Petrova')).json(), {
        id: anna.id,
        username: 'Anna_Petrova',
        display_name: null,
        about: null,
        email: anna.email,
      });
      for (const name of ['Anna_Petrova', 'anna_petrova', 'ANNA_PETROVA']) {
        for (const refused of [await check(boris, name), await rename(boris, name)]) {
          assert.equal(refused.statusCode, 400);
          assert.deepEqual(refused.json(), { code: 'USERNAME_ALREADY_EXISTS', message: 'Это имя уже занято.' });
        }
        assert.deepEqual(await outcome(check(anna, name)), [200]);
        assert.deepEqual(await outcome(rename(anna, name)), [200]);
      }
    });

    test('is told to be taken at most thirty times a minute, by checks and changes together', async () => {
      await using wall = await openWall(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      for (let i = 0; i < 15; i += 1) {
        assert.deepEqual(await outcome(check(boris, anna.username)), [400, 'USERNAME_ALREADY_EXISTS']);
        assert.deepEqual(await outcome(rename(boris, anna.username)), [400, 'USERNAME_ALREADY_EXISTS']);
      }
      for (const name of [anna.username, 'boris_petrov']) {
        const refused = await rename(boris, name);
        assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '60']);
      }
      wall.clock.now += 60;
      assert.deepEqual(await outcome(rename(boris, 'boris_petrov')), [200]);
    });

    test('can be checked and changed only by signed-in people', async () => {
      await using wall = await openWall(engine);
      assert.equal((await wall.get('/api/v1/users/anna_petrova/validation')).status, 401);
    });

    test('goes to one of a hundred people who claim it at once, in any case', async () => {
      await using wall = await openWall(engine);
      const people = await Promise.all(Array.from({ length: 100 }, () => register(wall)));
      const name = 'anna_petrova';
      const variant = (i: number): string =>
        [...name].map((letter, at) => ((i >> (at % 7)) & 1 ? letter.toUpperCase() : letter)).join('');
      const responses = await Promise.all(people.map((person, i) => outcome(rename(person, variant(i)))));
      assert.equal(responses.filter(([status]) => status === 200).length, 1);
      assert.equal(responses.filter(([, code]) => code === 'USERNAME_ALREADY_EXISTS').length, 99);
    });

    test('changes at once wherever it is shown', async () => {
      await using wall = await openWall(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      const post = (await anna.send('POST', '/posts', { text: 'вопрос' })).json();
      const reply = (await boris.send('POST', `/posts/${post.id}/replies`, { text: 'ответ' })).json();
      const places = [
        '/api/v1/posts',
        `/api/v1/posts?userId=${anna.id}`,
        `/api/v1/posts/${post.id}`,
        // In the quote of a reply.
        `/api/v1/posts/${post.id}/replies`,
        `/api/v1/posts/${reply.id}`,
        '/',
        `/posts/${post.id}`,
        `/posts/${reply.id}`,
      ];
      for (const place of places) assert.ok((await wall.get(place)).text.includes(anna.username), place);
      await rename(anna, 'anna_petrova');
      for (const place of places) {
        const { text } = await wall.get(place);
        assert.ok(text.includes('anna_petrova'), place);
        assert.ok(!text.includes(anna.username), place);
      }
      for (const prefix of ['/api/v1/users', '/users']) {
        assert.equal((await wall.get(`${prefix}/Anna_Petrova`)).status, 200);
      }
    });
  });
}
