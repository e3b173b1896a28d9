import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isUsername } from '#contract/username.ts';
import { type CommandRun, errorOf, outputOf, runCommand, startCommand } from '../../../test/kit/command-process.ts';
import {
  type Engine,
  engines,
  freshStorage,
  type OpenedDatabase,
  openFresh,
  type StorageSettings,
} from '../../../test/kit/engines.ts';
import { writeTelegramExport } from '../../../test/kit/exports/telegram-export.ts';
import { hasWall } from '../../db/open-database.ts';
import { createPost } from '../../features/posts/post-writes.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { recount } from '../verify-data/recount.ts';
import { putSetting } from '../../db/wall-setting-rows.ts';
import { runImport } from './run-import.ts';
import { settingsOf } from '../../../test/kit/server-process.ts';

/** Runs `npm run import` in this process. */
async function importInProcess(storage: StorageSettings, args: string[]): Promise<CommandRun> {
  const output: string[] = [];
  const errors: string[] = [];
  const code = await runImport(args, settingsOf(storage), {
    print: (text) => output.push(`${text}\n`),
    complain: (text) => errors.push(`${text}\n`),
  });
  return { code, output: output.join(''), errors: errors.join('') };
}

const program = 'server/commands/import/main.ts';

interface FileWall extends OpenedDatabase {
  file: string;
  run(kind: string, ...more: string[]): Promise<CommandRun>;
  /** Runs the command in a process of its own, as operators do. */
  runAsProcess(kind: string): Promise<CommandRun>;
}

async function wallWith(engine: Engine, content: string | Buffer): Promise<FileWall> {
  const opened = await openFresh(engine);
  const file = join(opened.storage.dataDir, 'file');
  await writeFile(file, content);
  const run = (kind: string, ...more: string[]) => importInProcess(opened.storage, [kind, file, ...more]);
  return { ...opened, file, run, runAsProcess: (kind) => runCommand(program, opened.storage, [kind, file]) };
}

const lines = (...rows: object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const row = (id: string, text: string, more: object = {}) => ({ id, author: 'a', date: 1_500_000_000, text, ...more });

async function imported({ db }: Pick<OpenedDatabase, 'db'>) {
  return db.read
    .selectFrom('posts as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .leftJoin('posts as q', 'q.id', 'p.replied_post_id')
    .leftJoin('posts as r', 'r.id', 'p.parent_post_id')
    .select([
      'p.id',
      'p.text',
      'p.created_at',
      'p.replied_post_id',
      'p.depth',
      'p.likes_count',
      'u.display_name',
      'u.username',
    ])
    .select(['q.text as replied', 'r.text as root'])
    .orderBy('p.id')
    .execute();
}

const differences = ({ db }: Pick<OpenedDatabase, 'db'>) => Array.fromAsync(recount(db.read));

/** These tables must stay empty: an import notifies nobody. */
async function outsideCounts({ db }: Pick<OpenedDatabase, 'db'>): Promise<number[]> {
  const rows = (['notifications', 'outbox', 'jobs'] as const).map((table) =>
    db.read.selectFrom(table).selectAll().execute(),
  );
  const changes = db.read
    .selectFrom('changes as c')
    .innerJoin('posts as p', 'p.id', 'c.post_id')
    .selectAll('c')
    .execute();
  return (await Promise.all([...rows, changes])).map(({ length }) => length);
}

for (const engine of engines) {
  describe(`import of JSON Lines on ${engine}`, () => {
    test('keeps people, dates, likes and whole trees, whatever the order of the lines', async () => {
      await using wall = await wallWith(
        engine,
        lines(
          row('3', 'второй ответ', { reply_to: '2', author: 'b', name: 'Борис', date: '2017-07-14T05:40:00+03:00' }),
          row('2', 'ответ', { reply_to: '1', likes: ['c', 'b', 'c'], date: 1_500_000_001 }),
          row('1', 'запись', { name: 'Анна Щукина' }),
          row('4', 'до всех', { date: '2016-01-01T00:00:00Z', author: 'd', name: 'Анна Щукина', reply_to: null }),
          row('5', 'ответ на удалённое', { reply_to: 'нет', date: 1_500_000_500 }),
        ),
      );
      const output = outputOf(await wall.run('jsonl'), []);
      assert.match(
        output,
        /Людей\s+4\n[^]*Записей\s+3\n[^]*Ответов\s+2\n[^]*Перенесено: людей 4, записей и ответов 5\./,
      );
      const posts = await imported(wall);
      assert.deepEqual(
        posts.map((p) => [p.text, p.replied, p.root, p.depth, p.likes_count, p.display_name, p.username]),
        [
          ['до всех', null, null, 0, 0, 'Анна Щукина', 'anna_schukina_2'],
          ['запись', null, null, 0, 0, 'Анна Щукина', 'anna_schukina'],
          ['ответ', 'запись', 'запись', 1, 2, 'Анна Щукина', 'anna_schukina'],
          ['второй ответ', 'ответ', 'запись', 2, 0, 'Борис', 'boris'],
          ['ответ на удалённое', null, null, 0, 0, 'Анна Щукина', 'anna_schukina'],
        ],
      );
      const times = posts.map(({ created_at: at }) => at);
      // A reply that is dated before the replied post takes the date of that post.
      assert.deepEqual(times, [1_451_606_400, 1_500_000_000, 1_500_000_001, 1_500_000_001, 1_500_000_500]);
      assert.deepEqual(await differences(wall), []);
      assert.deepEqual(await outsideCounts(wall), [0, 0, 0, 0]);
    });

    test('with --dry-run only reports; a second run changes nothing; another file is refused', async () => {
      await using wall = await wallWith(engine, lines(row('1', 'запись'), row('2', 'ответ', { reply_to: '1' })));
      assert.match(outputOf(await wall.run('jsonl', '--dry-run'), []), /Записей\s+1\n/);
      assert.deepEqual(await imported(wall), []);
      outputOf(await wall.run('jsonl'), []);
      const before = await imported(wall);
      assert.match(outputOf(await wall.run('jsonl'), []), /ничего не изменено/);
      assert.deepEqual(await imported(wall), before);
      await writeFile(wall.file, lines(row('1', 'другая запись')));
      assert.match(refusalOf(await wall.run('jsonl')), /^На этой стене уже есть записи/);
    });

    test('makes the wall where none was ever started, but not with --dry-run', async () => {
      await using fresh = await freshStorage(engine);
      const { storage } = fresh;
      const file = join(storage.dataDir, 'file');
      await writeFile(file, lines(row('1', 'запись'), ...Array.from({ length: 6 }, () => ({}))));
      const report = outputOf(await importInProcess(storage, ['jsonl', file, '--dry-run']), []);
      assert.match(report, /  строки файла: не разобрать +2, 3, 4, 5, 6 и дальше\n/);
      assert.equal(await hasWall(storage), false);
      assert.match(
        outputOf(await importInProcess(storage, ['jsonl', file]), []),
        /^Стены здесь не было, и она создана: /,
      );
      assert.match(outputOf(await importInProcess(storage, ['jsonl', file]), []), /^Людей +1\n[^]*ничего не изменено/);
    });

    test('refuses a wall with posts before it reads the file', async () => {
      await using wall = await wallWith(engine, 'не читается');
      await wall.db.tx(async (tx) => {
        const userId = await createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 0 });
        await createPost(tx, { userId, text: 'запись', now: 0 });
      });
      assert.match(errorOf(await wall.runAsProcess('jsonl'), []), /^На этой стене уже есть записи/);
    });

    test('a run that is killed goes on with the next one', async () => {
      const rows = Array.from({ length: 3_000 }, (_, i) =>
        row(`${i}`, `запись ${i}`, {
          author: `p${i % 700}`,
          ...(i % 3 > 0 && { reply_to: `${i - 1}` }),
          likes: [`p${i % 11}`],
        }),
      );
      await using wall = await wallWith(engine, lines(...rows));
      const { child, ended } = startCommand(program, wall.storage, ['jsonl', wall.file], {});
      let written = 0;
      while (written === 0 && child.exitCode === null) {
        written = (await wall.db.read.selectFrom('posts').select('id').execute()).length;
        await sleep(2);
      }
      child.kill('SIGKILL');
      await ended;
      assert.deepEqual(await differences(wall), []);
      outputOf(await wall.runAsProcess('jsonl'), []);
      const posts = await imported(wall);
      assert.deepEqual(
        posts.map(({ text }) => text),
        rows.map(({ text }) => text),
      );
      assert.deepEqual(await differences(wall), []);
    });
  });

  describe(`import from Telegram on ${engine}`, () => {
    for (const isOld of [false, true]) {
      test(`has the trees of ${isOld ? 'an old' : 'a new'} export, as an independent reading finds them`, async () => {
        await using wall = await wallWith(engine, '');
        await writeTelegramExport(wall.file, { messages: 1_500, people: 60, seed: 7, isOld });
        outputOf(await wall.run('telegram'), []);
        assert.deepEqual(await found(wall), await expected(wall.file));
        const posts = await imported(wall);
        assert.deepEqual(
          posts,
          posts.toSorted((a, b) => a.created_at - b.created_at || a.id - b.id),
        );
        assert.deepEqual(await differences(wall), []);
        assert.deepEqual(await outsideCounts(wall), [0, 0, 0, 0]);
      });
    }
  });
}

const numberIn = (text: string): number => Number(/№(\d+)/.exec(text)![1]);

interface Told {
  at: number;
  by: string;
  /** The numbers of the messages from the root to this one. */
  path: number[];
}

interface ExportedMessage {
  id: number;
  type: string;
  from: string | null;
  date: string;
  date_unixtime?: string;
  reply_to_message_id?: number;
}

/** What the import must find. Unlike the import, this reads the whole file at once and walks up from each message. */
async function expected(file: string): Promise<Map<number, Told>> {
  const { messages } = JSON.parse(await readFile(file, 'utf8')) as { messages: ExportedMessage[] };
  const written = messages.filter(({ type }) => type === 'message');
  const byId = new Map(written.map((each) => [each.id, each]));
  const pathOf = ({ id, reply_to_message_id: replied = 0 }: ExportedMessage): number[] => {
    const above = byId.get(replied);
    return above ? [...pathOf(above), id] : [id];
  };
  return new Map(
    written.map((each) => [
      each.id,
      {
        at: Number(each.date_unixtime ?? Date.parse(each.date) / 1_000),
        by: (each.from ?? 'Удалённый аккаунт').replace('\u202e', ''),
        path: pathOf(each),
      },
    ]),
  );
}

async function found(wall: OpenedDatabase): Promise<Map<number, Told>> {
  const rows = await imported(wall);
  const paths = new Map<number, number[]>();
  for (const { id, text, replied_post_id: replied } of rows) {
    paths.set(id, [...(replied === null ? [] : paths.get(replied)!), numberIn(text)]);
  }
  const messages = rows.map(({ id, text, created_at: at, display_name: by }): [number, Told] => [
    numberIn(text),
    { at, by: by!, path: paths.get(id)! },
  ]);
  return new Map(messages.toSorted(([a], [b]) => a - b));
}

const line = (id: string, more: object = {}): string => JSON.stringify(row(id, 'т', more));
const chat = (messages: string) => `{"name": "Двор", "type": "private_group", "messages": [${messages}`;

/** The only line of the error. The report may have been printed before it. */
function refusalOf({ code, errors }: CommandRun): string {
  assert.equal(code, 1);
  assert.match(errors, /^[^\n]+\n$/);
  return errors;
}

test('a file that is no export ends in one line, before anything is written', async () => {
  await using wall = await wallWith('sqlite', '');
  const { storage, file } = wall;
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
    assert.match(refusalOf(await wall.run(kind)), message, content.slice(0, 60));
  }
  for (const args of [[], ['telegram'], ['slack', file], ['jsonl', file, 'more'], ['jsonl', file, '--wet']]) {
    assert.match((await importInProcess(storage, args)).errors, /^Как переносить: [^\n]+\n$/);
  }
  for (const path of [join(storage.dataDir, 'missing'), storage.dataDir]) {
    assert.match((await importInProcess(storage, ['jsonl', path])).errors, /^Файл не читается: [^\n]+\n$/);
  }
  assert.deepEqual(await wall.db.read.selectFrom('users').selectAll().execute(), []);
  const names = await readdir(storage.dataDir);
  assert.deepEqual(names.toSorted(), ['file', ...names.filter((name) => name.startsWith('stena'))]);
});

test('what cannot come along is counted, and the rest comes', async () => {
  await using wall = await wallWith('sqlite', '');
  await wall.db.tx((tx) => putSetting(tx, 'name', '"Двор"'));
  const services = ['Админ', 'moderator', 'Модеpaтop', 'Двора'];
  const names = [...services, '\u202eЗло\u0000', '👩‍👩‍👧', '王', '', 'и'.repeat(99), "'; drop table users", 'Ян'];
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
  await writeFile(wall.file, `\ufeff${rows.join('\r\n')}`);
  const output = outputOf(await wall.run('jsonl'), []);
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
  assert.match(output, /  строки файла: дата раньше 1990 года или в будущем +8, 9, 10, 11\n/);
  assert.match(output, /  строки файла: не разобрать +16, 17, 19\n/);
  const posts = await wall.db.read.selectFrom('posts').select('text').orderBy('id').execute();
  assert.deepEqual([posts.length, posts[0]!.text], [3 + names.length, '<script>alert(1)</script>\ufffd']);
  const people = await wall.db.read.selectFrom('users').select(['username', 'display_name']).orderBy('id').execute();
  assert.ok(people.every(({ username }) => isUsername(username)));
  assert.equal(people.at(-1)!.username, 'yan_1');
  assert.deepEqual(
    people.slice(-names.length).map(({ display_name: name }) => name),
    [...services.map(() => 'Без имени'), 'Зло', '👩‍👩‍👧', '王', 'Без имени', 'и'.repeat(32), "'; drop table users", 'Ян'],
  );
  assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
});

test('many people with one name get names in a moment', async () => {
  const rows = Array.from({ length: 5_000 }, (_, i) => row(`${i}`, 'т', { author: `p${i}`, name: 'Иван Иванов' }));
  await using wall = await wallWith('sqlite', lines(...rows));
  outputOf(await wall.run('jsonl'), []);
  const people = await wall.db.read.selectFrom('users').select('username').orderBy('id').execute();
  assert.deepEqual(
    [people[0]!.username, people[1]!.username, people.at(-1)!.username],
    ['ivan_ivanov', 'ivan_ivanov_2', 'ivan_ivanov_5000'],
  );
});
