import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { device, newAddress, wrong } from '../../../test/kit/sign-in.ts';
import { engines, type FreshPlace, freshPlace } from '../../../test/kit/engines.ts';
import { type ServerProcess, startServer } from '../../../test/kit/server-process.ts';
import { type MailServer, startMailServer } from '../../../test/kit/smtp.ts';
import { openDatabase } from '../../db/open-database.ts';

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

const codesOf = async (responses: Response[]): Promise<string[]> =>
  Promise.all(
    responses.map(async (response) => ((await response.json()) as { code?: string }).code ?? String(response.status)),
  );

describe('signing in at two processes on one PostgreSQL', () => {
  let place: FreshPlace;
  let mail: MailServer;
  let servers: [ServerProcess, ServerProcess];
  before(async () => {
    place = await freshPlace('postgres');
    mail = await startMailServer();
    const settings = { SMTP_URL: mail.url, CODE_RESEND_SECONDS: '60' };
    servers = await Promise.all([startServer(place.place, settings), startServer(place.place, settings)]);
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await mail.close();
    await place.remove();
  });

  const eachInTurn = <T>(count: number, work: (server: ServerProcess, i: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, i) => work(servers[i % 2]!, i)));

  test('a code requested at one process works once at the other', async () => {
    const email = newAddress();
    const { id } = (await (await start(servers[0], email)).json()) as { id: string };
    const code = await mail.codeTo(email);
    const codes = await codesOf(await eachInTurn(100, (server) => verify(server, id, code)));
    assert.equal(codes.filter((response) => response === '200').length, 1);
    assert.equal(codes.filter((response) => response === 'OPERATION_EXPIRED').length, 99);
  });

  test('tries are counted together', async () => {
    const email = newAddress();
    const { id } = (await (await start(servers[0], email)).json()) as { id: string };
    const code = await mail.codeTo(email);
    const codes = await codesOf(await eachInTurn(200, (server) => verify(server, id, wrong(code))));
    assert.equal(codes.filter((response) => response === 'INVALID_CONFIRM_CODE').length, 4);
    assert.equal((await codesOf([await verify(servers[1], id, code)]))[0], 'MAX_CONFIRM_ATTEMPTS');
  });

  test('mails are counted together, and each is sent once', async () => {
    const email = newAddress();
    const codes = await codesOf(await eachInTurn(20, (server, i) => start(server, email, `client ${i}`)));
    assert.equal(codes.filter((response) => response === '201').length, 1);
    await mail.mailTo(email);
    const addresses = Array.from({ length: 30 }, newAddress);
    await eachInTurn(30, (server, i) => start(server, addresses[i]!));
    for (const address of addresses) await mail.mailTo(address);
    assert.equal(mail.received.filter(({ to }) => addresses.includes(to[0]!)).length, 30);
  });
});

for (const engine of engines) {
  test(`a mail survives kill -9 between the response and its sending on ${engine}`, async () => {
    const place = await freshPlace(engine);
    const gone = await startMailServer();
    const { port } = new URL(gone.url);
    await gone.close();
    const settings = { SMTP_URL: gone.url };
    const first = await startServer(place.place, settings);
    const addresses = Array.from({ length: 5 }, newAddress);
    for (const address of addresses) assert.equal((await start(first, address)).status, 201);
    await first.stop('SIGKILL');

    const back = await startMailServer(Number(port));
    const second = await startServer(place.place, settings);
    for (const address of addresses) await back.codeTo(address);
    await second.stop();
    await back.close();
    await place.remove();
  });
}

test('logs are JSON lines without codes, cookies, tokens or addresses', async () => {
  const place = await freshPlace('sqlite');
  const mail = await startMailServer();
  mail.refuse((recipient) => (recipient.startsWith('refused') ? 550 : undefined));
  const server = await startServer(place.place, { SMTP_URL: mail.url, LOG_LEVEL: 'trace' });
  const email = newAddress();
  await start(server, 'refused@example.org');
  await start(server, '<broken');
  const { id } = (await (await start(server, email)).json()) as { id: string };
  const code = await mail.codeTo(email);
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
  await place.remove();
});

test('what has expired is removed', async () => {
  const place = await freshPlace('sqlite');
  const db = await openDatabase(place.place, () => {});
  const { removeExpired } = await import('../../ops/jobs/remove-expired.ts');
  await db.tx(async ({ db: tx }) => {
    for (let i = 0; i < 1_200; i += 1) {
      const row = { purpose: 'login', email: 'a@b.ru', client_token: 'x', device: '{}', code_hash: 'x', created_at: 0 };
      await tx
        .insertInto('operations')
        .values({ ...row, id: `${i}`, expires_at: i < 1_100 ? 10 : 1_000 })
        .execute();
    }
    await tx.insertInto('budgets').values({ key: 'old', hits: '[]', expires_at: 10 }).execute();
    await tx.insertInto('budgets').values({ key: 'new', hits: '[]', expires_at: 1_000 }).execute();
  });
  assert.equal(await removeExpired(db, 500), 1_101);
  assert.equal((await db.read.selectFrom('operations').select('id').execute()).length, 100);
  const left = await db.read.selectFrom('budgets').select('key').execute();
  assert.deepEqual(
    left.map(({ key }) => key),
    ['new'],
  );
  await db.close();
  await place.remove();
});
