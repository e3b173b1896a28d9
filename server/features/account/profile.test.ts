import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverLimits } from '#contract/limits.ts';
import type { Owner } from '#contract/posts.ts';
import { deleteAccount, type Member, publish, register, renew } from '../../../test/kit/member.ts';
import { pollWithin } from '../../../test/kit/polling.ts';
import { confirm } from '../../../test/kit/desk.ts';
import { SECRET } from '../../../test/kit/server-process.ts';
import { makeSecrets } from '../../secrets.ts';
import { newOwnerCode } from '../moderation/invites.ts';
import { putSetting } from '../../db/wall-setting-rows.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { displayNameProblem } from './keeper-names.ts';

const change = (member: Member, body: object) => member.send('PATCH', '/users/current/profile', body);

/** Both names and the face of a person, wherever a response has them. */
function namesIn(value: unknown, id: string): unknown[] {
  if (value === null || typeof value !== 'object') return [];
  const isPerson = 'display_name' in value && 'username' in value && 'id' in value && value.id === id;
  const own = isPerson
    ? [['username', 'display_name', 'face'].map((key) => (value as Record<string, unknown>)[key]).join(' ')]
    : [];
  return [...own, ...Object.values(value).flatMap((part) => namesIn(part, id))];
}

const onWall = onWalls({}, 'the names and the face of a person');

onWall('they stand wherever the person is shown, also where responses are cached', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  anna.username = (await change(anna, { username: 'anna_first' })).json().username;
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
  const shows = async (rest: string, username = anna.username): Promise<void> => {
    const visitor = wall.app.inject({ url: '/api/v1/posts' });
    for (const response of await Promise.all([visitor, ...paths.map((path) => boris.send('GET', path))])) {
      const names = new Set(namesIn(response.json(), anna.id));
      assert.deepEqual([...names], [`${username} ${rest}`], response.raw.req.url ?? '');
    }
    for (const page of ['/', `/posts/${post.id}`, `/posts/${reply.id}`]) {
      const { text } = await wall.get(page);
      assert.deepEqual([text.includes(username), text.includes(anna.username)], [true, username === anna.username]);
    }
  };
  await shows(' ');
  const changed = (await change(anna, { display_name: ' Аня  с Мира', about: 'Пеку\nхлеб' })).json();
  assert.deepEqual([changed.display_name, changed.about], ['Аня с Мира', 'Пеку хлеб']);
  await shows('Аня с Мира ');
  assert.equal((await change(anna, { face: ' ❤' })).json().face, '❤️');
  await shows('Аня с Мира ❤️');
  assert.match((await wall.get('/')).text, /data-face="❤️"/);
  assert.equal((await boris.send('GET', `/users/${anna.username}`)).json().about, 'Пеку хлеб');
  assert.equal((await publish(anna, 'Ещё')).owner.display_name, 'Аня с Мира');

  // A field that is left out stays.
  await change(anna, { about: null });
  await shows('Аня с Мира ❤️');
  assert.equal((await anna.send('GET', '/users/current')).json().about, null);
  await change(anna, { display_name: '', face: '' });
  await shows(' ');
  assert.match((await wall.get('/')).text, /data-face="A"/);
  await change(anna, { username: 'anna_petrova' });
  await shows(' ', 'anna_petrova');
  for (const prefix of ['/api/v1/users', '/users']) {
    assert.equal((await wall.get(`${prefix}/Anna_Petrova`)).status, 200);
  }
});

onWall('the question is open until it is answered or put off for a week', async (wall) => {
  const anna = await register(wall);
  const question = async (): Promise<string | undefined> =>
    (await anna.send('GET', '/users/current')).json().name_question;
  assert.equal(await question(), 'due');

  const later = await change(anna, { name_later: true });
  assert.deepEqual([later.statusCode, later.json().name_question], [200, undefined]);
  wall.clock.now += 7 * 24 * 3_600 - 1;
  await renew(anna);
  assert.equal(await question(), undefined, 'put off');
  wall.clock.now += 1;
  assert.equal(await question(), 'due', 'a week later');

  await change(anna, { display_name: 'Аня' });
  assert.equal(await question(), undefined, 'answered with a name');
  const boris = await register(wall);
  await change(boris, { username: 'boris_petrov' });
  const { name_question: asked } = (await boris.send('GET', '/users/current')).json();
  assert.equal(asked, undefined, 'a username of one’s own answers it, too');
});

onWall('a bad name or face is refused with the reason, and nothing changes', async (wall) => {
  const anna = await register(wall);
  await change(anna, { display_name: 'Аня' });
  await wall.db.tx(async (tx) => {
    await putSetting(tx, 'name', '"Наш двор"');
    tx.touch('wall');
  });
  await pollWithin(300, async () => (await wall.get('/about')).text.includes('Наш двор') || undefined);
  const mixed = 'В одном слове имени смешаны буквы разных алфавитов. Напишите его одним.';
  const noFace = 'Значок — это один эмодзи, например 🦊, без букв и цифр.';
  const keeper = 'Это имя похоже на служебное. Выберите другое.';
  const ofKeepers = 'Такой значок похож на знак тех, кто ведёт стену. Выберите другой.';
  for (const [body, message] of [
    [{ display_name: 'ж'.repeat(33) }, 'Имя длиннее 32 знаков. Сократите его.'],
    [{ about: 'ж'.repeat(161) }, 'Текст о себе длиннее 160 знаков. Сократите его.'],
    [{ display_name: 'Анна, модератор' }, keeper],
    [{ display_name: 'Наш двор' }, keeper],
    [{ display_name: 'Модеpaтop' }, mixed],
    ...['👑 Анна', 'Анна🛡️', '✅', 'Анна ✔', '☑ Анна', 'Анна ✓'].map(
      (name) => [{ display_name: name }, ofKeepers] as const,
    ),
    [{ display_name: 'Боря', username: 'аня' }, 'Имя пользователя должно быть не меньше 5 символов'],
    [{}, undefined],
    [{ display_name: 5 }, undefined],
    ...['А', '1', '🦊🦊', '🦊!', '🇷', '👩‍🦊', '🦊\u0301', '👨‍👩‍👧‍👦'.repeat(9), '\ud83e'].map(
      (face) => [{ face }, noFace] as const,
    ),
    ...['✅', '☑️', '✔️', '✔', '👑', '🛡️', '🛡', '👮🏽‍♀️'].map((face) => [{ face }, ofKeepers] as const),
  ] as const) {
    const refused = await change(anna, body);
    assert.equal(refused.statusCode, 400, JSON.stringify(body));
    if (message !== undefined) assert.equal(refused.json().message, message);
  }
  assert.equal((await anna.send('GET', '/users/current')).json().face, null);
  for (const face of ['👍🏽', '🇷🇺', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👨‍👩‍👧‍👦', '☺️', '⚽', '1️⃣']) {
    assert.equal((await change(anna, { face })).json().face, face);
  }
  assert.equal((await change(anna, { display_name: 'Инна Стеновая' })).statusCode, 200);
  assert.equal((await anna.send('GET', '/users/current')).json().display_name, 'Инна Стеновая');
});

onWall('a taken username changes neither the name', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  const refused = await change(anna, { username: boris.username, display_name: 'Боря' });
  assert.equal(refused.json().code, 'USERNAME_ALREADY_EXISTS');
  assert.equal((await anna.send('GET', '/users/current')).json().display_name, null);
});

onWall('a deleted account leaves neither name nor face behind', async (wall) => {
  const anna = await register(wall);
  await change(anna, { display_name: 'Аня', face: '🦊', about: 'Пеку хлеб' });
  await deleteAccount(wall, anna);
  const row = await wall.db.read
    .selectFrom('users')
    .select(['display_name', 'display_key', 'name_skeleton', 'about', 'face', 'newcomer_until'])
    .where('id', '=', Number(anna.id))
    .executeTakeFirstOrThrow();
  assert.deepEqual([...new Set(Object.values(row))], [null]);
});

onWall('posts of the first seven days after a registration say until when the author is new', async (wall) => {
  const anna = await register(wall);
  const until = wall.clock.now + serverLimits.newHereSeconds;
  const post = await publish(anna, 'Вопрос');
  const known = await wall.person('known_here');
  await wall.reply(known, Number(post.id), 'Ответ');
  const said = async () => {
    const [root] = (await wall.get('/api/v1/posts')).json.posts;
    const { post: one, replies } = (await wall.get(`/api/v1/posts/${post.id}/thread`)).json;
    return [root, one, replies[0].post].map(({ owner }) => owner.newcomer_until);
  };
  assert.deepEqual([post.owner.newcomer_until, await said()], [until, [until, until, undefined]]);
  assert.match((await wall.get('/')).text, />недавно здесь</);
  wall.clock.now = until;
  await renew(anna);
  assert.equal((await publish(anna, 'Ещё')).owner.newcomer_until, undefined);
  assert.doesNotMatch((await wall.get('/')).text, />недавно здесь</);
});

onWall('who becomes an owner of the wall is not new here any more, also where responses are cached', async (wall) => {
  const code = await newOwnerCode(wall.db, makeSecrets(SECRET), wall.clock.now);
  const [first, second] = [await register(wall), await register(wall)];
  const newcomers = async () =>
    (await wall.get('/api/v1/posts')).json.posts
      .filter(({ owner }: { owner: Owner }) => owner.newcomer_until !== undefined)
      .map(({ owner }: { owner: Owner }) => owner.username);
  await publish(first, 'Стена открыта');
  await publish(second, 'Привет');
  assert.deepEqual(await newcomers(), [second.username, first.username]);
  assert.equal((await first.send('POST', `/owner-links/${code}`)).statusCode, 204);
  assert.deepEqual(await newcomers(), [second.username]);
  await confirm(wall, first);
  const appoint = async (owner: boolean) => {
    const body = { reason: 'Помогает', owner };
    const appointed = await first.send('POST', `/moderation/people/${second.username}/appointment`, body);
    assert.equal(appointed.statusCode, 200, appointed.body);
  };
  await appoint(false);
  assert.deepEqual(await newcomers(), [second.username]);
  await appoint(true);
  assert.deepEqual(await newcomers(), []);
  assert.equal((await publish(second, 'Ещё')).owner.newcomer_until, undefined);
});

const own = ['Стена', 'Наш двор'];
const split = (names: string): string[] => names.split(/\|\s*/);

const imitations =
  split(`Администратор|Анна, модератор|Владелец|Система|Саппорт|Хозяйка|CTEHA|Гоот|Моде\u0301р|Admın|@dmin|М.о.д.е.р.а.т.о.р|Μοδερατορ|
Наш двор|НАШ-ДВОР|Nash Dvor|ПОДДЕРЖКА|С\u0301тена|Официальный ответ|SYSTEM|Sistema|Система 24|Системное сообщение|Сисоп|Сапорт|Саппорт Анна|
Sapport|Support|Supp0rt|Суппорт|Техподдержка|Тех. поддержка|Техслужба|Root|Роот|Уведомление|Уведомления|Сообщение системы|
Система поддержки|Сисадмин|Команда|Команда стены|Khozyain|4dmin|adm!n|Adm¡n|m0d3rat0r|Аԁмин|Ƒounder|Mod|m0d|Mod team|Мод|Анна, mod|Управление|
Verified|Анна (verified)|Автор скрыт|Запись удалена|Участник без имени`);

const lookAlikes = split('ᴀᴅᴍɪɴ|ᗩdmin|Ꭺdmin|ꓮnna|Ⲁнна|Ѣлена|Ѳёдор|𝐀nna|Ⓐнна|🄰нна|🅰️нна|Ａnna|ᴬнна|𐐀nna');

const mixtures = split('Сиcтема|Модеpaтop|Мοдератор|Cтена|Аdmin|Маrина');

const ordinary =
  split(`Стелла Модестова|Вадим|Света Мирная|Ростислав|Инна Стеновая|Системный аналитик|Нервная система|Системотехник|Сапожник|Саппоро|
Рут|Рута Сергеевна|Корней|Корневая|Техник Сергей|Техасец|Служивый|Помощник кондуктора|Опора|Спортсмен|Спорт и дети|Саперов|Рапорт|
Аэропорт|Портной|Уведомлён|Сообщница|Систематик|Сестра|Мастер Иванов|Вебер|Кирилл Системников|Паспортистка|Надежда|
Дежурный по кухне|Поддубная|Руслан|Ирина|Командор|Анна 345|Нана № 5|Ержан Қасымов|Կարեն|გიორგი|محمد|李明|Søren|Łukasz|Ünal!|Модест|Модель|Modest|
Mood|Управдомова|Вера Фиделева|Автор|Участник|Анна без имени|Анна ♥`);

test('names that read like the wall itself or mix alphabets are refused, ordinary ones with the same roots are not', () => {
  const problems = (names: readonly string[]) => new Set(names.map((name) => displayNameProblem(name, own)));
  const [keeper, mixed] = [problems(imitations), problems(mixtures)];
  for (const problem of problems(lookAlikes)) assert.match(problem!, /^Знак «.+» в имени только похож на букву/u);
  assert.deepEqual([keeper.size, mixed.size], [1, 1]);
  assert.match([...keeper][0]!, /похоже на служебное/);
  assert.match([...mixed][0]!, /смешаны буквы/);
  assert.deepEqual(problems(ordinary), new Set([null]));
});
