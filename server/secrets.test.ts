import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigError } from './config.ts';
import { keptSecret, makeSecrets, secretFile } from './secrets.ts';

test('the secret is made once, whoever comes first, and only its owner may read it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stena-secret-'));
  const dataDir = join(folder, 'data');
  const secrets = await Promise.all(Array.from({ length: 10 }, () => keptSecret(dataDir)));
  assert.equal(new Set([...secrets, await keptSecret(dataDir)]).size, 1);
  assert.equal(secrets[0]!.length, 43);
  assert.deepEqual(await readdir(dataDir), ['secret']);
  assert.equal((await stat(join(dataDir, 'secret'))).mode & 0o777, 0o600);
  await rm(folder, { recursive: true });
});

test('a kept secret that is empty or short is refused, and left as it is', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'stena-secret-'));
  t.after(() => rm(dataDir, { recursive: true }));
  for (const content of ['', ' \n', 'hidden-word', 'a'.repeat(31)]) {
    await writeFile(secretFile(dataDir), content);
    await assert.rejects(keptSecret(dataDir), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.ok(error.message.startsWith(`The secret in ${secretFile(dataDir)} must be at least 32 characters long`));
      assert.doesNotMatch(error.message, /hidden-word|\n/);
      return true;
    });
    assert.equal(await readFile(secretFile(dataDir), 'utf8'), content);
    assert.deepEqual(await readdir(dataDir), ['secret']);
  }
});

test('what is sealed opens with the same secret only, and not once it was changed', () => {
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

test('each use of the secret has a key of its own', () => {
  const secrets = makeSecrets('one secret of thirty-two characters');
  assert.notEqual(secrets.signToken('["a"]'), secrets.markCode(['a']));
  assert.notEqual(secrets.markCode(['a', 'b']), secrets.markCode(['a,b']));
});
