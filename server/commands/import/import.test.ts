import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandRun, errorOf, outputOf, runCommand, startCommand } from '../../../test/kit/command-process.ts';
import { type Engine, engines, openFresh, type OpenedDatabase } from '../../../test/kit/engines.ts';
import { importInProcess } from '../../../test/kit/import-in-process.ts';
import { writeTelegramExport } from '../../../test/kit/exports/telegram-export.ts';
import { createPost } from '../../features/posts/writes.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { recount } from '../verify-data/recount.ts';

const program = 'server/commands/import/main.ts';

interface FileWall extends OpenedDatabase {
  file: string;
  run(kind: string, ...more: string[]): Promise<CommandRun>;
  /** The same as operators do. */
  runAsProcess(kind: string): Promise<CommandRun>;
}

async function wallWith(engine: Engine, content: string | Buffer): Promise<FileWall> {
  const opened = await openFresh(engine);
  const file = join(opened.place.dataDir, 'file');
  await writeFile(file, content);
  const run = (kind: string, ...more: string[]) => importInProcess(opened.place, [kind, file, ...more]);
  return { ...opened, file, run, runAsProcess: (kind) => runCommand(program, opened.place, [kind, file]) };
}

const lines = (...rows: object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const row = (id: string, text: string, more: object = {}) => ({ id, author: 'a', date: 1_500_000_000, text, ...more });

async function imported({ db }: Pick<OpenedDatabase, 'db'>) {
  const posts = await db.read
    .selectFrom('posts as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .leftJoin('posts as q', 'q.id', 'p.replied_post_id')
    .leftJoin('posts as r', 'r.id', 'p.parent_post_id')
    .select(['p.id', 'p.text', 'p.created_at', 'p.depth', 'p.likes_count', 'u.display_name', 'u.username'])
    .select(['q.text as replied', 'r.text as root'])
    .orderBy('p.id')
    .execute();
  return posts;
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
        posts.map((post) => [
          post.text,
          post.replied,
          post.root,
          post.depth,
          post.likes_count,
          post.display_name,
          post.username,
        ]),
        [
          ['до всех', null, null, 0, 0, 'Анна Щукина', 'anna_schukina_2'],
          ['запись', null, null, 0, 0, 'Анна Щукина', 'anna_schukina'],
          ['ответ', 'запись', 'запись', 1, 2, 'Анна Щукина', 'anna_schukina'],
          ['второй ответ', 'ответ', 'запись', 2, 0, 'Борис', 'boris'],
          ['ответ на удалённое', null, null, 0, 0, 'Анна Щукина', 'anna_schukina'],
        ],
      );
      const times = posts.map(({ created_at: at }) => at);
      // A reply that is dated before what it answers takes the date of that.
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
      const { code, errors } = await wall.run('jsonl');
      assert.equal(code, 1);
      assert.match(errors, /^На этой стене уже есть записи[^\n]+\n$/);
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
      const { child, ended } = startCommand(program, wall.place, ['jsonl', wall.file], {});
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

/** Reads the whole file at once and walks up from each message. */
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
  const rows = await wall.db.read
    .selectFrom('posts as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'p.text', 'p.created_at', 'p.replied_post_id', 'u.display_name'])
    .orderBy('p.id')
    .execute();
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
