import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Browser, device, newAddress, openBrowser, wrong } from '../../../test/kit/sign-in.ts';
import { engines, freshStorage, openFresh } from '../../../test/kit/engines.ts';
import { twoProcesses } from '../../../test/kit/live-wall.ts';
import { outcome } from '../../../test/kit/member.ts';
import { type ServerProcess, startServer } from '../../../test/kit/server-process.ts';
import { type MailServer, startMailServer } from '../../../test/kit/smtp.ts';
import { removeExpired } from '../../ops/jobs/wall-jobs.ts';

const clientToken = 'one client';

const send = (server: ServerProcess, path: string, body: object): Promise<Response> =>
  fetch(`${server.address}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const start = (server: ServerProcess, email: string, token = clientToken): Promise<Response> =>
  send(server, '/registrations', { email, clientToken: token, device });

const verify = (server: ServerProcess, id: string, confirmCode: string): Promise<Response> =>
  send(server, `/registrations/${id}/verify`, { confirmCode, clientToken });

/** A registration that was started, and its code. */
async function startedAt(server: ServerProcess, mail: MailServer, email = newAddress()) {
  const { id } = (await (await start(server, email)).json()) as { id: string };
  return { id, code: await mail.codeTo(email) };
}

test('codes, tries and mails of two processes on one PostgreSQL are counted together', async (t) => {
  const { here, there } = await twoProcesses(t, {}, {});
  const browser = openBrowser(here);
  const browsers = [browser, Object.assign(openBrowser(there), { clientToken: browser.clientToken })];
  const inTurn = async (count: number, work: (browser: Browser, i: number) => ReturnType<Browser['start']>) => {
    const outcomes = await Promise.all(Array.from({ length: count }, (_, i) => outcome(work(browsers[i % 2]!, i))));
    return Object.fromEntries(
      [...Map.groupBy(outcomes, (each) => each.at(-1))].map(([what, all]) => [what, all.length]),
    );
  };
  const started = async () => {
    const email = newAddress();
    const { id } = (await browser.start('registrations', email)).json();
    return { id, code: await here.mail.codeTo(email) };
  };
  const first = await started();
  assert.deepEqual(await inTurn(50, (by) => by.verify('registrations', first.id, first.code)), {
    200: 1,
    OPERATION_EXPIRED: 49,
  });
  const { id, code } = await started();
  const tries = await inTurn(50, (by) => by.verify('registrations', id, wrong(code)));
  assert.equal(tries['INVALID_CONFIRM_CODE'], 4);
  assert.deepEqual(await inTurn(1, (by) => by.verify('registrations', id, code)), { MAX_CONFIRM_ATTEMPTS: 1 });

  const email = newAddress();
  const starts = await inTurn(20, (_, i) => openBrowser(i % 2 ? there : here).start('registrations', email));
  assert.equal(starts['201'], 1);
  await here.mail.mailTo(email);
  const addresses = Array.from({ length: 30 }, newAddress);
  await inTurn(30, (_, i) => openBrowser(i % 2 ? there : here).start('registrations', addresses[i]!));
  for (const address of addresses) await here.mail.mailTo(address);
  assert.equal(here.mail.received.filter(({ to }) => addresses.includes(to[0]!)).length, 30, 'each is sent once');
});

for (const engine of engines) {
  test(`a mail survives kill -9 between the response and its sending on ${engine}`, async () => {
    const storage = await freshStorage(engine);
    const gone = await startMailServer();
    const { port } = new URL(gone.url);
    await gone.close();
    const settings = { SMTP_URL: gone.url };
    const first = await startServer(storage.storage, settings);
    const addresses = Array.from({ length: 5 }, newAddress);
    for (const address of addresses) assert.equal((await start(first, address)).status, 201);
    await first.stop('SIGKILL');

    const back = await startMailServer(Number(port));
    const second = await startServer(storage.storage, settings);
    for (const address of addresses) await back.codeTo(address);
    await second.stop();
    await back.close();
    await storage.remove();
  });
}

test('logs are JSON lines without codes, cookies, tokens or addresses', async () => {
  const storage = await freshStorage('sqlite');
  const mail = await startMailServer();
  mail.refuse((recipient) => (recipient.startsWith('refused') ? 550 : undefined));
  const server = await startServer(storage.storage, { SMTP_URL: mail.url, LOG_LEVEL: 'trace' });
  const email = newAddress();
  await start(server, 'refused@example.org');
  await start(server, '<broken');
  const { id, code } = await startedAt(server, mail, email);
  await verify(server, id, wrong(code));
  const entered = await verify(server, id, code);
  const { accessToken } = (await entered.json()) as { accessToken: { token: string } };
  const cookies = entered.headers.getSetCookie().map((cookie) => /=([^;]*)/.exec(cookie)![1]!);
  await fetch(`${server.address}/api/v1/users/current`, { headers: { authorization: `Bearer ${accessToken.token}` } });
  await server.stop();
  const logs = await server.logs;
  for (const line of logs.trim().split('\n')) assert.doesNotThrow(() => JSON.parse(line) as unknown, line);
  assert.match(logs, /mail not accepted/);
  for (const secret of [code, email, 'refused@example.org', accessToken.token, ...cookies]) {
    assert.ok(!logs.includes(secret), `the logs tell ${secret}`);
  }
  await mail.close();
  await storage.remove();
});

test('what has expired is removed', async () => {
  await using fresh = await openFresh('sqlite');
  const { db } = fresh;
  const row = { purpose: 'login', email: 'a@b.ru', client_token: 'x', device: '{}', code_hash: 'x', created_at: 0 };
  await db.tx(async ({ db: tx }) => {
    for (let i = 0; i < 1_200; i += 1) {
      const operation = { ...row, id: `${i}`, expires_at: i < 1_100 ? 10 : 1_000 };
      await tx.insertInto('operations').values(operation).execute();
    }
    for (const [key, expires_at] of [
      ['old', 10],
      ['new', 1_000],
    ] as const) {
      await tx.insertInto('budgets').values({ key, hits: '[]', expires_at }).execute();
    }
  });
  assert.equal(await removeExpired(db, 500), 1_101);
  assert.equal((await db.read.selectFrom('operations').select('id').execute()).length, 100);
  assert.deepEqual(await db.read.selectFrom('budgets').select('key').execute(), [{ key: 'new' }]);
});
