import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freshDatabase } from './postgres.ts';

async function ask(url: string, statement: string): Promise<unknown> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' }).finally(() => client.end());
  return rows[0]?.[0];
}

describe('PostgreSQL for tests', () => {
  it('is a real server, version 15 or newer, and preserves Cyrillic text', async () => {
    const { url, drop } = await freshDatabase();
    assert.ok(Number(await ask(url, 'show server_version_num')) >= 15_00_00);
    assert.equal(await ask(url, `select 'Стена'`), 'Стена');
    await drop();
  });

  it('gives every caller a separate empty database on one server', async () => {
    const [one, other] = await Promise.all([freshDatabase(), freshDatabase()]);
    assert.equal(new URL(one.url).host, new URL(other.url).host);
    await ask(one.url, 'create table posts (id int)');
    assert.equal(await ask(one.url, `select to_regclass('posts')`), 'posts');
    assert.equal(await ask(other.url, `select to_regclass('posts')`), null);
    await Promise.all([one.drop(), other.drop()]);
  });

  it('drops a database that is in use', async () => {
    const { url, drop } = await freshDatabase();
    const client = new Client(url);
    client.on('error', () => {});
    await client.connect();
    await drop();
    await assert.rejects(ask(url, 'select 1'), { code: '3D000' });
  });

  it('ends and removes its files when the test process is killed', async () => {
    const script = `
      import { freshDatabase } from ${JSON.stringify(import.meta.resolve('./postgres.ts'))};
      import { Client } from 'pg';
      const { url } = await freshDatabase();
      const client = new Client(url);
      await client.connect();
      const { rows } = await client.query('show data_directory');
      console.log(rows[0].data_directory);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = (await once(child.stdout, 'data')) as [Buffer];
    const folder = output.toString().trim();
    assert.ok(existsSync(folder));
    child.kill('SIGKILL');
    for (let tries = 0; existsSync(folder) && tries < 100; tries += 1) await sleep(50);
    assert.ok(!existsSync(folder));
  });
});
