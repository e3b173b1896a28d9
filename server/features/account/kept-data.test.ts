import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeptData } from '#contract/account.ts';
import { startToken } from '../../../test/kit/api-token.ts';
import { registerModerator } from '../../../test/kit/desk.ts';
import { changeEmail } from '../../../test/kit/email-changes.ts';
import { engines } from '../../../test/kit/engines.ts';
import { register } from '../../../test/kit/member.ts';
import { newAddress } from '../../../test/kit/sign-in.ts';
import { removePost } from '../../../test/kit/moderation.ts';
import { tablesAboutPeople } from '../../../test/kit/personal-tables.ts';
import { openWall } from '../../../test/kit/wall.ts';
import { keptKinds } from './kept-data.ts';

test('the kinds of data name every table that holds personal data, and no other', () => {
  const named = new Set(keptKinds.flatMap(({ rows, also = [] }) => [...(rows ? [rows.in] : []), ...also]));
  assert.deepEqual([...named].toSorted(), tablesAboutPeople.toSorted());
});

for (const engine of engines) {
  test(`what is kept about a person is counted, and nothing of another, on ${engine}`, async () => {
    await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
    const [anna, boris] = [await register(wall), await register(wall)];
    const moderator = await registerModerator(wall);
    const began = wall.clock.now;
    const write = async (by: typeof anna, path: string, text: string) =>
      (await by.send('POST', path, { text })).json().id;
    const his = await write(boris, '/posts', 'его запись');
    const hers = await write(anna, '/posts', 'её запись');
    const removed = await write(anna, '/posts', 'лишняя');
    await removePost(wall, removed, 'не к месту');
    wall.clock.now += 60;
    await write(anna, '/posts', 'ещё одна');
    await write(anna, `/posts/${his}/replies`, 'её ответ');
    await write(boris, `/posts/${hers}/replies`, 'его ответ');
    await anna.send('POST', `/posts/${his}/likes`);
    await anna.send('PUT', `/posts/${his}/bookmark`);
    await anna.send('PUT', `/users/current/mutes/${moderator.id}`);
    await anna.send('PUT', '/users/current/reading', { list: 'feed', post_id: his });
    await anna.send('POST', `/posts/${his}/reports?reason_id=other`, { comment: 'не нравится' });
    await boris.send('POST', `/posts/${hers}/reports?reason_id=spam`);
    await anna.send('PATCH', '/users/current/profile', { username: 'anna_new' });
    await changeEmail(wall, anna, newAddress());
    await startToken(anna);
    const warned = await moderator.send('POST', '/moderation/people/anna_new/warning', { reason: 'тише' });
    assert.equal(warned.statusCode, 200);

    const response = await anna.send('GET', '/users/current/data');
    assert.equal(response.statusCode, 200);
    const { kept } = response.json() as { kept: KeptData[] };
    const late = wall.clock.now;
    const found = kept.filter(({ count }) => count !== null && count > 0);
    assert.deepEqual(
      found.map(({ title, count, first_at: first, last_at: last }) => [title, count, first, last]),
      [
        ['Адрес, имя и настройки', 1, began, began],
        ['Прежние имена', 1, late, late],
        ['Смены адреса почты', 1, late, late],
        ['Записи', 2, began, late],
        ['Ответы', 1, late, late],
        ['Отметки «Нравится»', 1, late, late],
        ['Записи, которых нет на стене', 1, began, began],
        ['Уведомления', 1, null, null],
        ['Обсуждения, за которыми вы следите', 1, null, null],
        ['Сохранённое', 1, late, late],
        ['Скрытые авторы', 1, late, late],
        ['Прочитанное', 1, late, late],
        ['Сеансы', 1, began, began],
        ['Знакомые браузеры', 1, began, began],
        ['Запрошенные коды', 1, late, late],
        ['Письма в пути', 2, null, null],
        ['Ваши жалобы', 1, late, late],
        ['Решения о вас', 1, late, late],
      ],
    );
    const file = (await anna.send('GET', '/users/current/export')).json();
    const rowsOf = (title: string) => file.kept.find((kind: KeptData) => kind.title === title).rows;
    assert.deepEqual(
      file.kept.map(({ title, count }: KeptData) => [title, count]),
      kept.map(({ title, count }) => [title, count]),
    );
    assert.deepEqual(rowsOf('Скрытые авторы'), [{ muted_id: Number(moderator.id), created_at: late }]);
    assert.equal(rowsOf('Ваши жалобы')[0].comment, 'не нравится');
    assert.deepEqual(rowsOf('Решения о вас'), [{ at: late, action: 'warn', reason: 'тише' }]);
    assert.doesNotMatch(JSON.stringify(file), new RegExp(`${boris.email}|его запись`));
    assert.equal((await wall.get('/api/v1/users/current/data')).status, 401);
  });
}
