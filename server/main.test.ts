import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { type Answered, ask } from '../test/ask.ts';
import { type FreshPlace, freshPlace } from '../test/engines.ts';
import { createUser } from './account/store.ts';
import { openDatabase } from './db/open-database.ts';
import { createPost } from './posts/writes.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

function start(dataDir: string, settings: NodeJS.ProcessEnv = {}, flags: string[] = []): ChildProcess {
  return spawn(process.execPath, [...flags, main], {
    env: { DATA_DIR: dataDir, PORT: '0', READS_PER_MINUTE: '1000000', LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The address it prints once it listens. */
async function addressOf(server: ChildProcess): Promise<string> {
  const [line] = (await once(server.stdout!, 'data')) as [Buffer];
  return line.toString().match(/http:\S+/)![0];
}

async function outcome(server: ChildProcess): Promise<{ code: number | null; errors: string }> {
  const [errors, [code]] = await Promise.all([text(server.stderr!), once(server, 'exit') as Promise<[number | null]>]);
  return { code, errors };
}

/** Loaded into the server: counts the requests that reach it, and says at its end how many there were. */
const countRequests = `
  import { Server } from 'node:http';
  import { isMainThread } from 'node:worker_threads';
  let requests = 0;
  const { emit } = Server.prototype;
  Server.prototype.emit = function (event, ...rest) {
    if (event === 'request') requests += 1;
    return emit.call(this, event, ...rest);
  };
  if (isMainThread) process.on('exit', () => process.stderr.write(String(requests)));
`;

/** Reads over many connections, kept or not, until nobody answers any more; gives the status of each whole answer. */
async function readUntilRefused(address: string): Promise<Answered[]> {
  const statuses: Answered[] = [];
  const paths = ['/', '/api/v1/posts?limit=50', '/posts/1', '/api/v1/posts/2', '/healthz'];
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: false })];
  const client = async (agent: Agent, first: number): Promise<void> => {
    for (let i = first; ; i += 1) {
      const { answered } = await ask(`${address}${paths[i % paths.length]}`, { agent });
      if (answered === 'nothing') return;
      statuses.push(answered);
    }
  };
  await Promise.all(Array.from({ length: 24 }, (_, i) => client(agents[i % 2]!, i)));
  for (const agent of agents) agent.destroy();
  return statuses;
}

describe('the server process', () => {
  let fresh: FreshPlace;
  before(async () => {
    fresh = await freshPlace('sqlite');
    const db = await openDatabase(fresh.place, assert.fail);
    const userId = await db.tx((tx) => createUser(tx, { username: 'author', email: 'a@example.com', now: 1 }));
    const write = (_: unknown, i: number) => db.tx((tx) => createPost(tx, { userId, text: `Запись ${i}`, now: i }));
    await Promise.all(Array.from({ length: 200 }, write));
    await db.close();
  });
  after(() => fresh.remove());

  it('stops 10 times under load: whole answers, exit code 0, nothing lost', { timeout: 120_000 }, async (t) => {
    let answers = 0;
    for (let stop = 0; stop < 10; stop += 1) {
      const server = start(fresh.place.dataDir, {}, [
        '--import',
        `data:text/javascript,${encodeURIComponent(countRequests)}`,
      ]);
      const ended = outcome(server);
      const reading = readUntilRefused(await addressOf(server));
      await sleep(100 + Math.random() * 200);
      const told = performance.now();
      server.kill('SIGTERM');
      const { code, errors } = await ended;
      assert.equal(code, 0);
      assert.ok(performance.now() - told < 5_000, 'waited for idle connections');
      const statuses = await reading;
      // As many whole answers as requests reached the server.
      assert.equal(errors, String(statuses.length));
      assert.deepEqual(
        statuses.filter((status) => status !== 200 && status !== 503),
        [],
      );
      answers += statuses.length;
    }
    t.diagnostic(`${answers} whole answers around 10 stops`);
    assert.ok(answers > 100);

    const db = await openDatabase(fresh.place, assert.fail);
    const { rows } = await sql`pragma integrity_check`.execute(db.read);
    assert.deepEqual(
      rows.map((row) => Object.values(row as object)),
      [['ok']],
    );
    const posts = await db.read.selectFrom('posts').select('text').orderBy('id').execute();
    assert.deepEqual(
      posts.map((post) => post.text).toSorted(),
      Array.from({ length: 200 }, (_, i) => `Запись ${i}`).toSorted(),
    );
    await db.close();
  });

  it('answers a request that had begun to arrive when it was told to stop', async () => {
    const server = start(fresh.place.dataDir);
    const ended = outcome(server);
    const { hostname, port } = new URL(await addressOf(server));
    const client = connect(Number(port), hostname);
    client.write('GET /healthz HTTP/1.1\r\nHost: wall\r\n');
    await sleep(100);
    server.kill('SIGTERM');
    await sleep(300);
    client.write('\r\n');
    assert.match(await text(client), /^HTTP\/1\.1 503 .*\r\nconnection: close\r\n.*\{"code":"UNAVAILABLE",.*\}$/is);
    assert.deepEqual(await ended, { code: 0, errors: '' });
  });

  it('stops by Ctrl+C as well, idle connections or not', async () => {
    const server = start(fresh.place.dataDir);
    const ended = outcome(server);
    const agent = new Agent({ keepAlive: true });
    assert.equal((await ask(`${await addressOf(server)}/healthz`, { agent })).answered, 200);
    const told = performance.now();
    server.kill('SIGINT');
    assert.deepEqual(await ended, { code: 0, errors: '' });
    assert.ok(performance.now() - told < 2_000);
    agent.destroy();
  });

  it('says in one line that a port of its own is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    for (const settings of [{ PORT: String(port) }, { METRICS: `127.0.0.1:${port}` }]) {
      const { code, errors } = await outcome(start(fresh.place.dataDir, settings));
      assert.equal(code, 1);
      assert.match(errors, new RegExp(`^.*address already in use.*:${port}\n$`));
    }
    taken.close();
  });

  it('says in one line which setting is wrong', async () => {
    const { code, errors } = await outcome(start(fresh.place.dataDir, { PORT: 'eighty' }));
    assert.equal(code, 1);
    assert.match(errors, /^PORT must .*"eighty".\n$/);
  });

  it('says in one line that the database was written by a newer version', async (t) => {
    const { place, remove } = await freshPlace('sqlite');
    t.after(remove);
    const db = await openDatabase(place, assert.fail);
    await db.tx((tx) => sql`insert into migrations values (9000, 'from the future', 1)`.execute(tx.db));
    await db.close();
    const { code, errors } = await outcome(start(place.dataDir));
    assert.equal(code, 1);
    assert.match(errors, /^The database is at version 9000, .* newer .*\n$/);
  });

  it('says in one line, without the password, that PostgreSQL is out of reach', async () => {
    const settings = { DATABASE_URL: 'postgres://wall:hidden-word@127.0.0.1:1/wall', SECRET: 'a'.repeat(32) };
    const { code, errors } = await outcome(start(fresh.place.dataDir, settings));
    assert.equal(code, 1);
    assert.match(errors, /^.*127\.0\.0\.1:1.*\n$/);
    assert.doesNotMatch(errors, /hidden-word/);
  });
});
