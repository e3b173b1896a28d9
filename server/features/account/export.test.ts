import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Post, WrittenPost } from '#contract/posts.ts';
import type { StoredData } from '#contract/account.ts';
import { ask } from '../../../test/kit/ask.ts';
import { registerModerator } from '../../../test/kit/desk.ts';
import { changeEmail } from '../../../test/kit/email-changes.ts';
import { deleteAccount, type Member, register, signInElsewhere } from '../../../test/kit/member.ts';
import { removePost } from '../../../test/kit/moderation.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { type Wall } from '../../../test/kit/wall.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { states } from '../../db/all-posts.ts';
import { countRows } from './stored-rows.ts';
import { storedTables, tablesOf } from './stored-tables.ts';

const download = '/users/current/export';
/** Several batches of each kind. */
const many = 350;

async function writeMuch({ db, clock: { now } }: Wall, userId: number): Promise<void> {
  const numbers = Array.from({ length: many }, (_, i) => i + 1);
  const written = { user_id: userId, text: 'ё'.repeat(500), created_at: now };
  await db.tx(async ({ db: tx }) => {
    const replies = numbers.map(() => ({ ...written, parent_post_id: 1, replied_post_id: 1 }));
    for (const rows of [numbers.map(() => written), replies]) await tx.insertInto('all_posts').values(rows).execute();
    const likes = numbers.map((id) => ({ post_id: id, user_id: userId, created_at: now }));
    await tx.insertInto('likes').values(likes).execute();
    await tx.insertInto('bookmarks').values(likes).execute();
    const positions = numbers.map((list) => ({ user_id: userId, list, post_id: list, updated_at: now }));
    await tx.insertInto('reading_positions').values(positions).execute();
    const follows = numbers.map((id) => ({ root_post_id: id, user_id: userId, following: 1 }));
    await tx.insertInto('follows').values(follows).execute();
    const removed = { ...written, state: states.removed, is_place: 0, removed_at: now, reason: 'не к месту' };
    await tx
      .insertInto('all_posts')
      .values(numbers.map(() => removed))
      .execute();
  });
}

/** A response of which nothing has been read, over a connection with backpressure. */
function startDownload({ app }: Wall, { token, ip }: Member) {
  const headers = { authorization: `Bearer ${token}` };
  return app.inject({ method: 'GET', url: `/api/v1${download}`, headers, remoteAddress: ip, payloadAsStream: true });
}

const writtenOf = ({ owner: _, actions: __, ...written }: Post): WrittenPost => written;

onWalls({ RATE_LIMITS: 'off' })('what is kept about a person is counted and in the file', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  const moderator = await registerModerator(wall);
  const began = wall.clock.now;
  const write = async (by: Member, path: string, text: string) => (await by.send('POST', path, { text })).json();
  const his = await write(boris, '/posts', 'его запись');
  const hers = await write(anna, '/posts', 'её запись');
  const removed = await write(anna, '/posts', 'лишняя');
  await removePost(wall, removed.id, 'не к месту');
  wall.clock.now += 60;
  const late = wall.clock.now;
  const changed = await write(anna, '/posts', 'с опечаткй');
  await anna.send('PATCH', `/posts/${changed.id}`, { text: 'с опечаткой' });
  const deleted = await write(anna, '/posts', 'удалённая');
  await anna.send('DELETE', `/posts/${deleted.id}`);
  const reply = await write(anna, `/posts/${his.id}/replies`, 'её ответ');
  const answer = await write(boris, `/posts/${hers.id}/replies`, 'его ответ');
  const sides = [
    [anna, his.id, answer.id],
    [boris, hers.id, reply.id],
  ] as const;
  for (const [by, post, read] of sides) {
    await by.send('POST', `/posts/${post}/likes`);
    await by.send('PUT', `/posts/${post}/bookmark`);
    await by.send('PUT', `/users/current/mutes/${moderator.id}`);
    await by.send('PUT', '/users/current/words/pineapple', { kind: 'hide' });
    await by.send('PUT', '/users/current/reading', { list: 'feed', post_id: read });
    await by.send('POST', `/posts/${post}/reports?reason_id=other`, { comment: `не нравится ${by.username}` });
  }
  await anna.send('DELETE', `/posts/${hers.id}/follow`);
  await anna.send('PATCH', '/users/current/profile', {
    username: 'anna_new',
    display_name: 'Аня',
    face: '🦊',
    about: 'Пеку хлеб',
  });
  const email = newAddress();
  await changeEmail(wall, anna, email);
  assert.equal((await openBrowser(wall).start('logins', email)).statusCode, 201);
  const warned = await moderator.send('POST', '/moderation/people/anna_new/warning', { reason: 'тише' });
  assert.equal(warned.statusCode, 200);

  const { kept } = (await anna.send('GET', '/users/current/data')).json() as { kept: StoredData[] };
  const found = kept.filter(({ count }) => count !== null && count > 0);
  assert.deepEqual(
    found.map(({ title, count, first_at: first, last_at: last }) => [title, count, first, last].join(' ')),
    [
      `Адрес, имя и настройки 1 ${began} ${began}`,
      `Прежние имена 1 ${late} ${late}`,
      `Смены адреса почты 1 ${late} ${late}`,
      `Записи 2 ${began} ${late}`,
      `Ответы 1 ${late} ${late}`,
      `Отметки «Нравится» 1 ${late} ${late}`,
      `Записи, которые вы удалили 1 ${late} ${late}`,
      `Записи, которые убрали модераторы 1 ${began} ${began}`,
      'Уведомления 1  ',
      'Обсуждения, за которыми вы следите 2  ',
      `Сохранённое 1 ${late} ${late}`,
      `Скрытые авторы 1 ${late} ${late}`,
      'Слова 1  ',
      `Прочитанное 1 ${late} ${late}`,
      `Сеансы 1 ${began} ${began}`,
      `Знакомые браузеры 1 ${began} ${began}`,
      `Запрошенные коды 1 ${late} ${late}`,
      'Письма в пути 2  ',
      `Ваши жалобы 1 ${late} ${late}`,
      `Решения о вас 1 ${late} ${late}`,
    ],
  );

  const response = await anna.send('GET', download);
  assert.equal(response.headers['cache-control'], 'no-store');
  assert.match(String(response.headers['content-disposition']), /^attachment; filename=".+\.json"$/);
  const { kept: filed, ...written } = response.json();
  assert.deepEqual(
    filed.map(({ title, count }: StoredData) => [title, count]),
    kept.map(({ title, count }) => [title, count]),
  );
  const rowsOf = (title: string) => filed.find((kind: StoredData) => kind.title === title).rows;
  assert.deepEqual(rowsOf('Скрытые авторы'), [{ muted_id: Number(moderator.id), created_at: late }]);
  assert.deepEqual(rowsOf('Слова'), [{ word: 'pineapple', kind: 'hide' }]);
  assert.equal(rowsOf('Ваши жалобы')[0].comment, `не нравится ${anna.username}`);
  assert.deepEqual(rowsOf('Решения о вас'), [{ at: late, action: 'warn', reason: 'тише' }]);
  assert.doesNotMatch(response.body, new RegExp(`${boris.email}|его запись|нравится ${boris.username}`));
  const gone = {
    ...writtenOf(removed),
    replied_post_id: null,
    removed_at: began,
    reason: 'не к месту',
    is_new: true,
  };
  assert.deepEqual(written, {
    account: {
      id: anna.id,
      username: 'anna_new',
      display_name: 'Аня',
      face: '🦊',
      about: 'Пеку хлеб',
      email,
      created_at: began,
    },
    posts: [writtenOf(hers), { ...writtenOf(changed), text: 'с опечаткой', is_modified: true, modified_at: late }],
    replies: [{ ...writtenOf(reply), replied_post_id: his.id }],
    likes: [{ post_id: his.id, created_at: late }],
    bookmarks: [{ post_id: his.id, created_at: late }],
    pending: [],
    removed: [gone],
    reading: [{ list: 'feed', post_id: answer.id, updated_at: late }],
    notifications: {
      follow_replied: true,
      digest: 'off',
      best_weekly: false,
      replies_at_once: false,
      wall_daily: false,
      file_monthly: false,
    },
    follows: [
      { post_id: his.id, following: true },
      { post_id: hers.id, following: false },
    ],
    tokens: [],
    invitations: [],
    consents: [],
  });

  await deleteAccount(wall, boris);
  await runJobs(wall.db, (wall.clock.now += 61));
  const isCounted = (name: keyof typeof storedTables) => {
    const { about } = storedTables[name];
    return typeof about !== 'string' && about.some(({ rows }) => rows && !rows.whose);
  };
  for (const name of tablesOf(({ onDeletion }) => onDeletion !== undefined).filter(isCounted)) {
    const { count } = await countRows(wall.db.read, { in: name }, { id: Number(boris.id), email: '' });
    assert.equal(count, 0, name);
  }
});

onWalls()('each column of a table is exported, or named as one that is not', async ({ db }) => {
  for (const [table, { about, withheld = '' }] of Object.entries(storedTables)) {
    const named = typeof about === 'string' ? [] : about.flatMap(({ rows }) => rows?.columns?.split(' ') ?? []);
    if (named.length === 0) continue;
    const { columns } = (await db.read.introspection.getTables()).find(({ name }) => name === table)!;
    const known = new Set([...named, ...withheld.split(' ')]);
    assert.deepEqual(columns.map(({ name }) => name).toSorted(), [...known].toSorted(), table);
  }
});

onWalls()('a large export is complete, and read no faster than the client takes it', async (wall) => {
  const anna = await register(wall);
  await writeMuch(wall, Number(anna.id));
  const file = (await startDownload(wall, anna)).stream();
  const late = (await anna.send('POST', '/posts', { text: 'пока файл ждёт' })).json();
  const everything = (await json(file)) as Record<string, Array<Record<string, string>>>;
  const numbers = Array.from({ length: many }, (_, i) => i + 1);
  const idsOf = (kind: string) => everything[kind]!.map(({ id, post_id }) => Number(id ?? post_id));
  const from = (first: number) => numbers.map((no) => first + no);
  assert.deepEqual(idsOf('posts'), [...numbers, Number(late.id)]);
  assert.deepEqual([idsOf('replies'), idsOf('removed')], [from(many), from(2 * many)]);
  for (const kind of ['likes', 'bookmarks', 'reading', 'follows']) assert.deepEqual(idsOf(kind), numbers, kind);
});

onWalls()('one export at a time, five an hour', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  await writeMuch(wall, Number(anna.id));
  for (let i = 0; i < 4; i += 1) {
    const slow = await startDownload(wall, anna);
    assert.equal(slow.statusCode, 200);
    const second = await anna.send('GET', download);
    assert.deepEqual([second.statusCode, second.json().code], [429, 'TOO_MANY_REQUESTS']);
    assert.match(second.json().message, /уже скачиваются/);
    if (i === 0) assert.equal((await boris.send('GET', download)).statusCode, 200, 'others do not wait');
    await once(slow.stream().resume(), 'end');
  }
  const broken = http.get(`${await wall.app.listen()}/api/v1${download}`, {
    headers: { authorization: `Bearer ${anna.token}` },
  });
  await once(broken, 'response');
  broken.destroy();
  let sixth = await anna.send('GET', download);
  for (let left = 100; left > 0 && /уже скачиваются/.test(sixth.body); left -= 1) {
    await sleep(20);
    sixth = await anna.send('GET', download);
  }
  assert.deepEqual([sixth.statusCode, sixth.headers['retry-after']], [429, '3600']);
  assert.match(sixth.json().message, /пять раз в час/);
  wall.clock.now += 3_600;
  assert.equal((await signInElsewhere(wall, anna).then((again) => again.send('GET', download))).statusCode, 200);
});

onWalls()('an export interrupted by a storage failure does not look complete', async (wall) => {
  const anna = await register(wall);
  await anna.send('POST', '/posts', { text: 'моя запись' });
  const address = await wall.app.listen();
  await wall.db.tx((tx) => tx.db.schema.dropView('removed_posts').execute());
  const { outcome, body } = await ask(`${address}/api/v1${download}`, {
    headers: { authorization: `Bearer ${anna.token}` },
  });
  assert.equal(outcome, 'half');
  assert.match(body, /моя запись/);
});
