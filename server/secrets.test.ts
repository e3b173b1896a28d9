import assert from 'node:assert/strict';
import fs, { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError } from './config.ts';
import { makeSecrets, secretFile, storedSecret } from './secrets.ts';
import { type Browser, device, newAddress, openBrowser } from '../test/kit/sign-in.ts';
import { engines, freshStorage, openFresh, type StorageSettings } from '../test/kit/engines.ts';
import { startMailServer } from '../test/kit/smtp.ts';
import { wallOver } from '../test/kit/wall.ts';
import { mustSucceed } from '../test/kit/backup-process.ts';
import { runCommand } from '../test/kit/command-process.ts';
import { startServer } from '../test/kit/server-process.ts';

test('concurrent starts create one secret, which only its owner can read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stena-secret-'));
  const dataDir = join(folder, 'data');
  const secrets = await Promise.all(Array.from({ length: 10 }, () => storedSecret(dataDir)));
  assert.equal(new Set([...secrets, await storedSecret(dataDir)]).size, 1);
  assert.equal(secrets[0]!.length, 43);
  assert.deepEqual(await readdir(dataDir), ['secret']);
  assert.equal((await stat(join(dataDir, 'secret'))).mode & 0o777, 0o600);
  await rm(folder, { recursive: true });
});

test('a full disk keeps nobody from reading the secret, and a new one leaves no empty file there', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'stena-secret-'));
  const secret = await storedSecret(dataDir);
  const write = t.mock.method(fs, 'writeFile', async (file: string) => {
    await (await fs.open(file, 'wx')).close();
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  });
  syncBuiltinESMExports();
  t.after(async () => {
    write.mock.restore();
    syncBuiltinESMExports();
    await rm(dataDir, { recursive: true });
  });
  assert.equal(await storedSecret(dataDir), secret);
  await rm(secretFile(dataDir));
  await assert.rejects(storedSecret(dataDir), /ENOSPC/);
  assert.deepEqual(await readdir(dataDir), []);
});

test('rejects an empty or short stored secret without changing it', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'stena-secret-'));
  t.after(() => rm(dataDir, { recursive: true }));
  for (const content of ['', ' \n', 'hidden-word', 'a'.repeat(31)]) {
    await writeFile(secretFile(dataDir), content);
    await assert.rejects(storedSecret(dataDir), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.ok(error.message.startsWith(`Секрет в ${secretFile(dataDir)} короче 32 знаков`));
      assert.doesNotMatch(error.message, /hidden-word|\n/);
      return true;
    });
    assert.equal(await readFile(secretFile(dataDir), 'utf8'), content);
    assert.deepEqual(await readdir(dataDir), ['secret']);
  }
});

test('unseals only with the same secret, and rejects altered data', () => {
  const secrets = makeSecrets('one secret of thirty-two characters');
  const sealed = secrets.seal('код 012345');
  assert.ok(!sealed.includes('012345'));
  assert.notEqual(sealed, secrets.seal('код 012345'));
  assert.equal(secrets.unseal(sealed), 'код 012345');
  assert.throws(() => makeSecrets('another secret of thirty-two characters').unseal(sealed));
  const bytes = Buffer.from(sealed, 'base64url');
  bytes.writeUInt8(bytes.at(-1)! ^ 1, bytes.length - 1);
  assert.throws(() => secrets.unseal(bytes.toString('base64url')));
});

test('derives a separate key for each use of the secret', () => {
  const secrets = makeSecrets('one secret of thirty-two characters');
  assert.notEqual(secrets.sign('access token', '["a"]'), secrets.codeMac(['a']));
  assert.notEqual(secrets.codeMac(['a', 'b']), secrets.codeMac(['a,b']));
});

const [first, second] = ['first '.repeat(8), 'second '.repeat(8)];

for (const engine of engines) {
  test(`accepts tokens, codes and mails of SECRET_PREVIOUS until it is removed, on ${engine}`, async (t) => {
    await using fresh = await openFresh(engine);
    const mail = await startMailServer();
    t.after(() => mail.close());
    const settings = { SMTP_URL: mail.url, CODE_TTL_SECONDS: '6000' };
    const wall = await wallOver(fresh.db, { ...settings, SECRET: first });
    // The browsers keep this object while the server in it is replaced.
    const running = { app: wall.app, mail };
    const replace = async (secrets: NodeJS.ProcessEnv, seconds: number): Promise<void> => {
      await running.app.close();
      const next = await wallOver(fresh.db, { ...settings, ...secrets });
      next.clock.now += seconds;
      running.app = next.app;
    };
    t.after(() => running.app.close());

    const [member, withCode, waiting, late] = [running, running, running, running].map(openBrowser) as [
      Browser,
      Browser,
      Browser,
      Browser,
    ];
    await member.enter('registrations', newAddress());
    const own = newAddress();
    const withCodeOperation = (await withCode.start('registrations', own)).json();
    const code = await mail.codeTo(own);
    mail.refuse(() => 451);
    const [awaitedAt, lateAt] = [newAddress(), newAddress()];
    const awaited = (await waiting.start('registrations', awaitedAt)).json();
    const never = (await late.start('registrations', lateAt)).json();
    for (const [browser, { id }] of [[waiting, awaited] as const, [late, never] as const])
      while ((await mailState(browser, id)) !== 'delayed') await pause(20);

    mail.refuse((recipient) => (recipient === lateAt ? 451 : undefined));
    await replace({ SECRET: second, SECRET_PREVIOUS: first }, 10);
    assert.equal((await member.send('GET', '/users/current')).statusCode, 200, 'the access token');
    assert.equal((await withCode.verify('registrations', withCodeOperation.id, code)).statusCode, 200, 'the code');
    const sent = await mail.codeTo(awaitedAt);
    assert.equal((await waiting.verify('registrations', awaited.id, sent)).statusCode, 200, 'the sealed mail');

    mail.refuse(undefined);
    await replace({ SECRET: second }, 60);
    assert.equal((await member.send('GET', '/users/current')).statusCode, 401);
    while ((await mailState(late, never.id)) === 'delayed') await pause(20);
    assert.equal(await mailState(late, never.id), 'refused');
    assert.ok(!mail.received.some(({ to }) => to.includes(lateAt)));
  });
}

async function mailState(browser: Browser, id: string): Promise<string> {
  const response = await browser.send('GET', `/mail/${id}?clientToken=${encodeURIComponent(browser.clientToken)}`);
  return response.json().state;
}

/** A data folder that does not exist yet, for processes that inherit a umask of 022. */
async function newPlace(t: TestContext): Promise<StorageSettings> {
  const { storage, remove } = await freshStorage('sqlite');
  const inherited = process.umask(0o022);
  t.after(async () => {
    process.umask(inherited);
    await remove();
  });
  return { ...storage, dataDir: join(storage.dataDir, 'data') };
}

/** Permissions of a folder and of everything in it. */
async function modesIn(folder: string): Promise<Array<[string, string]>> {
  const names = ['.', ...(await readdir(folder, { recursive: true }))];
  const mode = async (name: string) => ((await stat(join(folder, name))).mode & 0o777).toString(8);
  return Promise.all(names.toSorted().map(async (name) => [name.replace(/\d.*\.eml/, 'x.eml'), await mode(name)]));
}

test('only the owner can read the folder, database, secret and mails of the server', async (t) => {
  const storage = await newPlace(t);
  const server = await startServer(storage, { LOG_LEVEL: 'error' });
  t.after(() => server.stop());
  const response = await fetch(`${server.address}/api/v1/registrations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'anna@example.org', clientToken: 'client', device }),
  });
  assert.equal(response.status, 201);
  while ((await modesIn(storage.dataDir)).length < 7) await pause(20);
  assert.deepEqual(await modesIn(storage.dataDir), [
    ['.', '700'],
    ['mail', '700'],
    ['mail/x.eml', '600'],
    ['secret', '600'],
    ['stena.sqlite', '600'],
    ['stena.sqlite-shm', '600'],
    ['stena.sqlite-wal', '600'],
  ]);
});

test('only the owner can read the files that commands create', async (t) => {
  const storage = await newPlace(t);
  const { code, errors } = await runCommand('demo/main.ts', storage, ['--posts', '10']);
  assert.equal(code, 0, errors);
  assert.deepEqual(await modesIn(storage.dataDir), [
    ['.', '700'],
    ['stena.sqlite', '600'],
    ['stena.sqlite-shm', '600'],
    ['stena.sqlite-wal', '600'],
  ]);
  const file = join(storage.dataDir, 'wall.backup');
  await mustSucceed(storage, 'backup', file);
  const target = { ...storage, dataDir: join(storage.dataDir, 'target') };
  await mustSucceed(target, 'restore', file);
  assert.deepEqual(await modesIn(target.dataDir), [
    ['.', '700'],
    ['stena.sqlite', '600'],
  ]);
});
