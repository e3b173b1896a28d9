import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigError } from './config-values.ts';
import { makeSecrets, secretFile, storedSecret } from './secrets.ts';

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

test('rejects an empty or short stored secret without changing it', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'stena-secret-'));
  t.after(() => rm(dataDir, { recursive: true }));
  for (const content of ['', ' \n', 'hidden-word', 'a'.repeat(31)]) {
    await writeFile(secretFile(dataDir), content);
    await assert.rejects(storedSecret(dataDir), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.ok(error.message.startsWith(`The secret in ${secretFile(dataDir)} must be at least 32 characters long`));
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
