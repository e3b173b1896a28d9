import assert from 'node:assert/strict';
import { chownSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { cannotCopy, done, freshPlaceToCopy, postgresToCopy, program } from '../../../test/kit/backup-process.ts';
import { runCommand } from '../../../test/kit/command-process.ts';
import { unprivilegedUser } from '../../../test/kit/postgres-binaries.ts';
import { PostgresCluster } from '../../../test/kit/postgres-cluster.ts';
import { type Certificate, makeCertificate } from '../../../test/kit/proxy.ts';
import { openDatabase } from '../../db/open-database.ts';
import { connectionOf } from './postgres-tools.ts';

const skipReason = (await cannotCopy('postgres')) ?? false;

test('takes the password out of the address and leaves the rest as it is', () => {
  for (const [address, dbname, password] of [
    ['postgres://a:se%20cret@db.example/wall', 'postgres://a@db.example/wall', 'se cret'],
    ['postgres://a@db.example/wall?x=1%202&password=se+cret', 'postgres://a@db.example/wall?x=1%202', 'se cret'],
    ['postgres://a@db.example/wall?x=1%202%2B3', 'postgres://a@db.example/wall?x=1%202%2B3', undefined],
  ] as const) {
    const env = password === undefined ? {} : { PGPASSWORD: password };
    assert.deepEqual(connectionOf(address), { dbname: `--dbname=${dbname}`, env }, address);
  }
});

test('copies a database whose address has settings with spaces', { skip: skipReason }, async (t) => {
  const { place, remove } = await freshPlaceToCopy('postgres');
  t.after(remove);
  const url = new URL(place.databaseUrl!);
  url.search = 'options=-c%20lock_timeout%3D9000';
  const spaced = { ...place, databaseUrl: url.href };
  await (await openDatabase(spaced, assert.fail)).close();
  const file = join(place.dataDir, 'wall.backup');
  assert.match(await done(spaced, 'backup', file), /^Копия сделана/);
});

/** A certificate that the user of a test's PostgreSQL can read. */
async function certificateFor(t: TestContext): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'stena-certificate-'));
  t.after(() => rm(folder, { recursive: true }));
  const made = makeCertificate(folder);
  const user = unprivilegedUser();
  if (user) for (const path of [folder, made.certificate, made.key]) chownSync(path, user.uid, user.gid);
  return made;
}

test('the programs trust the authorities that Node.js trusts', { skip: skipReason }, async (t) => {
  const { certificate, key } = await certificateFor(t);
  const tls = { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key };
  await using cluster = await PostgresCluster.make(tls, await postgresToCopy());
  await cluster.start();
  const { dataDir } = cluster.place();
  const temporary = await mkdtemp(join(tmpdir(), 'stena-temporary-'));
  t.after(() => rm(temporary, { recursive: true }));
  const place = { databaseUrl: `${cluster.url()}?sslmode=verify-full`, dataDir };
  await (await openDatabase(place, assert.fail)).close();
  const copy = join(temporary, 'wall.backup');
  for (const args of [
    ['backup', copy],
    ['restore', copy, '--replace'],
  ]) {
    const settings = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: certificate, TMPDIR: temporary };
    const { code, errors } = await runCommand(program, place, args, settings);
    assert.equal(code, 0, errors);
  }
  assert.deepEqual((await readdir(temporary)).toSorted(), ['wall.backup', 'wall.backup.sha256']);
});
