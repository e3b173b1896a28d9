import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { outputOf } from '../../../test/kit/command-process.ts';
import { openFresh } from '../../../test/kit/engines.ts';
import { importInProcess } from '../../../test/kit/import-in-process.ts';
import { isUsername } from '#contract/username.ts';
import { recount } from '../verify-data/recount.ts';

const line = (id: string, more: object = {}) =>
  JSON.stringify({ id, author: 'a', date: 1_500_000_000, text: 'т', ...more });
const chat = (messages: string) => `{"name": "Двор", "type": "private_group", "messages": [${messages}`;

test('a file that is no export ends in one line, before anything is written', async () => {
  await using wall = await openFresh('sqlite');
  const { place } = wall;
  const file = join(place.dataDir, 'file');
  const refusals: Array<[kind: string, content: string, message: RegExp]> = [
    ['jsonl', '', /^Переносить нечего/],
    ['jsonl', '<html>\n{"id": 1}\n[]\n"', /^Переносить нечего/],
    ['telegram', '', /^В файле нет списка «messages»/],
    ['telegram', '<!doctype html>', /^В файле нет списка «messages»/],
    ['telegram', '{"about": "x", "chats": {"list": [{"messages": []}]}}', /^В файле нет списка «messages»/],
    ['telegram', `{"name": "${'x'.repeat(2 ** 21)}", "messages": []}`, /^В файле нет списка «messages»/],
    ['telegram', chat('{"id": 1, "type": "message", "text": "обры'), /^Файл обрывается/],
    ['telegram', chat(''), /^Файл обрывается/],
    ['telegram', chat(']}'), /^Переносить нечего/],
    ['telegram', chat('1, null, [], "x", {"type": "message"}]}'), /^Переносить нечего/],
  ];
  for (const [kind, content, message] of refusals) {
    await writeFile(file, content);
    const { code, errors } = await importInProcess(place, [kind, file]);
    assert.equal(code, 1, content.slice(0, 60));
    assert.match(errors, /^[^\n]+\n$/, content.slice(0, 60));
    assert.match(errors, message, content.slice(0, 60));
  }
  for (const args of [[], ['telegram'], ['slack', file], ['jsonl', file, 'more'], ['jsonl', file, '--wet']]) {
    assert.match((await importInProcess(place, args)).errors, /^Как переносить: [^\n]+\n$/);
  }
  for (const path of [join(place.dataDir, 'missing'), place.dataDir]) {
    assert.match((await importInProcess(place, ['jsonl', path])).errors, /^Файл не читается: [^\n]+\n$/);
  }
  assert.deepEqual(await wall.db.read.selectFrom('users').selectAll().execute(), []);
  const names = await readdir(place.dataDir);
  assert.deepEqual(names.toSorted(), ['file', ...names.filter((name) => name.startsWith('stena'))]);
});

test('what cannot come along is counted, and the rest comes', async () => {
  await using wall = await openFresh('sqlite');
  const file = join(wall.place.dataDir, 'file');
  const names = ['Админ', 'moderator', '\u202eЗло\u0000', '👩‍👩‍👧', '王', '', 'и'.repeat(99), "'; drop table users", 'Ян'];
  const rows = [
    line('1', { text: '<script>alert(1)</script>\u202e\u0000\ud800' }),
    line('1', { text: 'номер уже был' }),
    line('2', { reply_to: '4' }),
    line('3', { reply_to: '2' }),
    line('4', { reply_to: '3' }),
    line('5', { reply_to: '5' }),
    line('6', { reply_to: '5' }),
    line('7', { date: 0 }),
    line('8', { date: '2100-01-01T00:00:00Z' }),
    line('9', { date: 1e300 }),
    line('10', { date: '2017-13-45T00:00:00Z' }),
    line('11', { text: ' \u200b\n' }),
    line('12', { text: 'я'.repeat(100_001) }),
    line('13', { text: `${'я'.repeat(99_999)}.` }),
    line('14', { text: 'x'.repeat(5 * 2 ** 20) }),
    line('15', { more: 1 }),
    line('16', { date: 'вчера' }),
    line('17', { likes: ['a', 'nobody', 'nobody'] }),
    'не JSON',
    '',
    ...names.map((name, i) => line(`n${i}`, { author: `n${i}`, name, text: `имя ${i}` })),
  ];
  await writeFile(file, `\ufeff${rows.join('\r\n')}`);
  const output = outputOf(await importInProcess(wall.place, ['jsonl', file]), []);
  const counts = [
    ['отвечают друг другу по кругу', 5],
    ['дата раньше 1990 года или в будущем', 4],
    ['номер уже был', 1],
    ['без текста', 1],
    ['текст длиннее 100 000 знаков', 1],
    ['больше 4 МБ', 1],
    ['не разобрать', 3],
  ] as const;
  for (const [reason, n] of counts) assert.match(output, new RegExp(`  ${reason} +${n}\n`), output);
  const posts = await wall.db.read.selectFrom('posts').select('text').orderBy('id').execute();
  assert.deepEqual([posts.length, posts[0]!.text], [3 + names.length, '<script>alert(1)</script>\ufffd']);
  const people = await wall.db.read.selectFrom('users').select(['username', 'display_name']).orderBy('id').execute();
  assert.ok(people.every(({ username }) => isUsername(username)));
  assert.equal(people.at(-1)!.username, 'yan_1');
  assert.deepEqual(
    people.slice(-names.length).map(({ display_name: name }) => name),
    ['Админ', 'moderator', 'Зло', '👩‍👩‍👧', '王', 'Без имени', 'и'.repeat(32), "'; drop table users", 'Ян'],
  );
  assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
});

test('many people with one name get names in a moment', async () => {
  await using wall = await openFresh('sqlite');
  const file = join(wall.place.dataDir, 'file');
  const rows = Array.from({ length: 5_000 }, (_, i) => line(`${i}`, { author: `p${i}`, name: 'Иван Иванов' }));
  await writeFile(file, rows.join('\n'));
  outputOf(await importInProcess(wall.place, ['jsonl', file]), []);
  const people = await wall.db.read.selectFrom('users').select('username').orderBy('id').execute();
  assert.deepEqual(
    [people[0]!.username, people[1]!.username, people.at(-1)!.username],
    ['ivan_ivanov', 'ivan_ivanov_2', 'ivan_ivanov_5000'],
  );
});
