import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { withClient } from '../../server/commands/backup/postgres-tools.ts';
import { untilAvailable } from '../faults/kit/wall-over-http.ts';
import { outputOf, runCommand } from '../kit/command-process.ts';
import type { Engine, StorageSettings } from '../kit/engines.ts';
import { appOverHttp } from '../kit/app-over-http.ts';
import { makeToken } from '../kit/api-token.ts';
import { type Member, publish, putWord, register } from '../kit/member.ts';
import { type ServerProcess, startServer } from '../kit/server-process.ts';
import { type AppWithMail, openBrowser } from '../kit/sign-in.ts';
import { startMailServer } from '../kit/smtp.ts';

/** One folder for each release, made by its own program (`npm run upgrade-fixture`). */
export const fixtures = join(import.meta.dirname, 'fixtures');

export const releases: string[] = readdirSync(fixtures).toSorted();

/**
 * `left` is a wall as a kill left it: the folder of SQLite with its WAL, the tables of PostgreSQL as statements, which need no
 * program of PostgreSQL. `backup` is a backup file.
 */
const names = {
  sqlite: { left: 'sqlite.tar.gz', backup: 'sqlite.backup.gz', remembered: 'sqlite.json.gz' },
  postgres: { left: 'postgres.sql.gz', backup: 'postgres.backup.gz', remembered: 'postgres.json.gz' },
};

export const fileOf = (release: string, engine: Engine, kind: keyof (typeof names)[Engine]): string =>
  join(fixtures, release, names[engine][kind]);

export const contentOf = (...file: Parameters<typeof fileOf>): Buffer => gunzipSync(readFileSync(fileOf(...file)));

export const rememberedOf = (release: string, engine: Engine): Remembered =>
  JSON.parse(contentOf(release, engine, 'remembered').toString());

/** Puts the wall that a release left into an empty database. */
export async function lay(release: string, engine: Engine, { dataDir, databaseUrl }: StorageSettings): Promise<void> {
  if (!databaseUrl) return void execFileSync('tar', ['xf', fileOf(release, engine, 'left'), '-C', dataDir]);
  await withClient(databaseUrl, async (client) => {
    await client.query('drop schema public cascade');
    await client.query(contentOf(release, engine, 'left').toString());
  });
}

/** The responses of a release's server about its wall. */
export interface Remembered {
  visitors: Record<string, unknown>;
  /** By e-mail address. */
  members: Record<string, Record<string, unknown>>;
}

export interface RunningWall extends AppWithMail, AsyncDisposable {
  server: ServerProcess;
  /** Runs a command of the same program, which must succeed. */
  command(file: string, ...args: string[]): Promise<string>;
}

/** Starts the server of a program on a wall, with a mail server of its own. `folder` is where the program is. */
export async function startWall(storage: StorageSettings, folder: string): Promise<RunningWall> {
  const mail = await startMailServer();
  const settings = { SMTP_URL: mail.url, RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0', TRUST_PROXY: '127.0.0.1' };
  const server = await startServer(storage, { LOG_LEVEL: 'error', ...settings }, join(folder, 'server/main.ts'));
  const app = appOverHttp(server.port);
  const dispose = async (): Promise<void> => {
    app.close();
    await server.stop();
    await mail.close();
  };
  const command = async (file: string, ...args: string[]): Promise<string> =>
    outputOf(
      await runCommand(join(folder, 'server/commands', file), storage, args, { PATH: process.env['PATH'] }),
      args,
    );
  return { app, mail, server, command, [Symbol.asyncDispose]: dispose };
}

/** Uses a wall in many ways that leave rows, and asks for all of it. */
export async function liveOn(wall: RunningWall): Promise<Remembered> {
  const [anna, boris, vera] = await Promise.all([
    register(wall, 'anna@example.org'),
    register(wall, 'boris@example.org'),
    register(wall, 'vera@example.org'),
  ]);
  await acts(vera, ['PUT', `/users/${boris.id}/follow`]);
  for (const [by, word, kind] of [
    [anna, 'ремонт', 'follow'],
    [vera, 'подъезд', 'hide'],
  ] as const) {
    assert.deepEqual(await putWord(by, word, kind), [204]);
  }
  const root = await publish(anna, 'Первая запись: \\"кавычки\\", 🦔 и\nстрока, #соседи');
  const reply = await publish(boris, `ответ для @${anna.username}`, `/posts/${root.id}/replies`);
  const nested = await publish(vera, 'ответ на ответ', `/posts/${reply.id}/replies`);
  for (let i = 1; i <= 30; i += 1) await publish(boris, `Запись ${i} о ремонте подъезда`);
  const doomed = await publish(vera, 'Будет удалена');
  const removed = await publish(vera, 'Реклама');
  const replied = await publish(vera, 'Останется пропуском', `/posts/${root.id}/replies`);
  await publish(anna, 'ответ пропуску', `/posts/${replied.id}/replies`);

  await acts(boris, ['POST', `/posts/${root.id}/likes`], ['PUT', `/posts/${root.id}/follow`]);
  await acts(vera, ['POST', `/posts/${root.id}/likes`], ['POST', `/posts/${reply.id}/likes`]);
  await acts(vera, ['DELETE', `/posts/${doomed.id}`], ['DELETE', `/posts/${replied.id}`]);
  await acts(anna, ['PUT', `/users/current/mutes/${vera.id}`], ['POST', `/posts/${removed.id}/reports?reason_id=spam`]);
  await acts(anna, ['PUT', '/users/current/reading', { list: 'feed', post_id: root.id }]);
  await acts(anna, ['PATCH', `/posts/${root.id}`, { text: 'Первая запись, исправленная, #соседи' }]);
  for (const { id } of [root, nested]) await acts(vera, ['PUT', `/posts/${id}/bookmark`]);
  await makeToken(wall, vera, { scope: 'write' });
  await makeToken(wall, boris);

  const because = { reason: 'проверка' };
  await wall.command('admin/main.ts', 'appoint', boris.username, '--reason', because.reason);
  await acts(boris, ['POST', `/moderation/posts/${removed.id}/removal`, because]);
  await acts(boris, ['PUT', '/moderation/pin', { post_id: root.id, until: Date.UTC(2099, 11, 31) / 1000, ...because }]);
  await acts(boris, ['POST', '/users/current/invitations'], ['POST', '/users/current/invitations']);

  const visitors = ['/posts', `/posts/${root.id}`, `/posts/${root.id}/thread`, `/posts/${root.id}/replies`];
  visitors.push('/posts?page=2', `/posts?userId=${boris.id}&limit=50`, `/posts/${nested.id}`, '/reports/reasons');
  visitors.push(`/posts/search?q=${encodeURIComponent('ремонт')}`, `/posts/search?q=${encodeURIComponent('#соседи')}`);
  const own = ['', '/notifications', '/mutes', '/notification-settings', '/reading', '/export'].map(
    (path) => `/users/current${path}`,
  );
  for (const list of ['bookmarks', 'following', 'words', 'tokens', 'invitations']) own.push(`/users/current/${list}`);
  own.push('/posts/replies', `/posts/${root.id}`, `/posts/${root.id}/follow`, '/posts/removed');
  const members: Remembered['members'] = {};
  for (const member of [anna, boris, vera]) members[member.email] = await responsesTo(member, own);
  return { visitors: await responsesTo(openBrowser(wall), visitors), members };
}

/** Sends the same requests again. A later version must respond with at least what the release has responded. */
export async function assertAllThere(wall: RunningWall, then: Remembered): Promise<void> {
  assertContains(await responsesTo(openBrowser(wall), Object.keys(then.visitors)), then.visitors);
  for (const [email, own] of Object.entries(then.members)) {
    const browser = openBrowser(wall);
    assert.equal((await browser.enter('logins', email)).statusCode, 200);
    assertContains(await responsesTo(browser, Object.keys(own)), own, email);
  }
}

type Sender = Pick<Member, 'send'>;

async function acts(by: Sender, ...all: Array<Parameters<Sender['send']>>): Promise<void> {
  for (const act of all) {
    const { statusCode, body } = await by.send(...act);
    assert.ok(statusCode < 300, `${act[0]} ${act[1]}: ${statusCode} ${body}`);
  }
}

async function responsesTo(browser: Sender, paths: readonly string[]): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const path of paths) {
    // On a busy machine a server that has just started may refuse for a moment.
    const response = await untilAvailable(() => browser.send('GET', path));
    assert.equal(response.statusCode, 200, `${path}: ${response.body}`);
    all[path] = lasting(response.json());
  }
  return all;
}

/**
 * Properties that are not compared: signing in adds a session, a deletion can be taken back for some minutes only, and the
 * summary of an export has words that may change.
 */
const notCompared = ['sessions', 'deleted', 'kept'];

const lasting = (response: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(response).filter(([name]) => !notCompared.includes(name)));

/** A later version may add properties, but loses none and changes no value. */
function assertContains(found: unknown, expected: unknown, path = ''): void {
  if (typeof expected !== 'object' || expected === null) return assert.deepEqual(found, expected, path);
  assert.ok(typeof found === 'object' && found !== null, `${path} is missing`);
  if (Array.isArray(expected)) assert.equal((found as unknown[]).length, expected.length, path);
  for (const [key, value] of Object.entries(expected)) {
    assertContains((found as Record<string, unknown>)[key], value, `${path}/${key}`);
  }
}
