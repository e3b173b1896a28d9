import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { limits } from '#contract/limits.ts';
import { admin } from '../../../test/kit/admin.ts';
import { engines, freshStorage, openStorage } from '../../../test/kit/engines.ts';
import { readEvents } from '../../../test/kit/event-reader.ts';
import { deleteAccount, outcome, publish, register } from '../../../test/kit/member.ts';
import { makeToken, programWith, startToken, verifyToken } from '../../../test/kit/api-token.ts';
import { wrong } from '../../../test/kit/sign-in.ts';
import { wallOver } from '../../../test/kit/wall.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { removeExpired } from '../../ops/jobs/wall-jobs.ts';

const day = 24 * 3_600;
const noWait = { CODE_RESEND_SECONDS: '0', RATE_LIMITS: 'off', ACCESS_TOKEN_SECONDS: String(3 * 365 * day) };

const onWall = onWalls(noWait, 'API tokens');

onWall('a mailed code makes one, shown once and stored as a hash; the owner gets a letter', async (wall) => {
  const anna = await register(wall);
  const { id } = (await startToken(anna)).json();
  const code = await wall.mail.codeTo(anna.email);
  assert.deepEqual(await outcome(verifyToken(anna, id, wrong(code))), [400, 'INVALID_CONFIRM_CODE']);
  for (const name of ['', ' ', 'я'.repeat(limits.tokenNameLength + 1), '\u200b']) {
    assert.deepEqual(await outcome(verifyToken(anna, id, code, { name })), [400, 'INVALID_REQUEST'], name);
  }
  const name = '  бот \n \u202e погоды\u202e ';
  const [made, again] = await Promise.all([1, 2].map(() => verifyToken(anna, id, code, { name, scope: 'write' })));
  const responses = [made!, again!].toSorted((a, b) => a.statusCode - b.statusCode);
  assert.deepEqual([responses[0]!.statusCode, responses[1]!.json().code], [201, 'OPERATION_EXPIRED']);
  const { token, ...rest } = responses[0]!.json();
  assert.match(token, /^stena_[\w-]{43}$/);
  const kept = { ...rest, name: 'бот погоды', scope: 'write', createdAt: wall.clock.now };
  assert.deepEqual(rest, kept);
  const { tokens } = (await anna.send('GET', '/users/current/tokens')).json();
  assert.deepEqual(tokens, [{ ...kept, lastUsedAt: null }]);
  const rows = await wall.db.read.selectFrom('program_tokens').selectAll().execute();
  const jobs = await wall.db.read.selectFrom('outbox').selectAll().execute();
  assert.equal(JSON.stringify([rows, jobs]).includes(token.slice('stena_'.length)), false);
  const letter = await wall.mail.mailTo(anna.email, ({ text }) => text.includes('бот погоды'));
  assert.match(letter.text, /читать и писать от вашего имени[^]*\/settings\/programs/);
  const exported = (await anna.send('GET', '/users/current/export')).json();
  assert.deepEqual(exported.tokens, [
    { name: 'бот погоды', scope: 'write', created_at: wall.clock.now, last_used_at: null },
  ]);
});

for (const engine of engines) {
  test(`API tokens an ended token is refused at once, also by another process on ${engine}`, async () => {
    await using fresh = await freshStorage(engine);
    const databases = [await openStorage(fresh.storage), await openStorage(fresh.storage)] as const;
    const [wall, other] = [await wallOver(databases[0], noWait), await wallOver(databases[1], noWait)];
    try {
      const anna = await register(wall);
      const { token, id } = await makeToken(wall, anna);
      const { token: untouched } = await makeToken(wall, anna);
      const here = programWith(wall, token);
      const there = programWith(other, token);
      for (const program of [here, there]) assert.equal((await program('GET', '/users/current')).statusCode, 200);
      assert.equal((await anna.send('DELETE', `/users/current/tokens/${id}`)).statusCode, 204);
      for (const program of [there, here]) {
        for (const path of ['/users/current', '/posts'])
          assert.deepEqual(await outcome(program('GET', path)), [401, 'UNAUTHORIZED']);
      }
      assert.deepEqual(await outcome(anna.send('DELETE', `/users/current/tokens/${id}`)), [404, 'NOT_FOUND']);
      assert.equal((await programWith(other, untouched)('GET', '/users/current')).statusCode, 200);
    } finally {
      await wall.close();
      await other.close();
      for (const db of databases) await db.close();
    }
  });
}

onWall('forged and malformed tokens are refused', async (wall) => {
  const anna = await register(wall);
  const { token } = await makeToken(wall, anna);
  const [row] = await wall.db.read.selectFrom('program_tokens').select('token_hash').execute();
  const cut = [token.slice(0, -1), `${token}A`, token.slice(6)];
  for (const forged of [`stena_${'A'.repeat(43)}`, `stena_${row!.token_hash}`, 'stena_', ...cut]) {
    assert.deepEqual(await outcome(programWith(wall, forged)('GET', '/posts')), [401, 'UNAUTHORIZED'], forged);
  }
});

onWall('closing the other sessions keeps them; whatever ends all sessions ends them too', async (wall) => {
  const [anna, boris, vera] = [await register(wall), await register(wall), await register(wall)];
  const programs: Array<ReturnType<typeof programWith>> = [];
  for (const member of [anna, boris, vera]) programs.push(programWith(wall, (await makeToken(wall, member)).token));
  const seen = () => Promise.all(programs.map(async (program) => (await program('GET', '/users/current')).statusCode));
  await anna.send('DELETE', '/sessions');
  assert.deepEqual(await seen(), [200, 200, 200]);
  const said = await admin(wall.db, 'close-sessions', anna.username, '--reason', 'утечка');
  assert.match(said, /завершено сеансов: 1, токенов: 1/);
  assert.deepEqual(await seen(), [401, 200, 200]);
  await admin(wall.db, 'block', boris.username, '--reason', 'реклама');
  assert.deepEqual(await outcome(programs[1]!('GET', '/posts')), [403, 'ACCOUNT_BLOCKED']);
  await admin(wall.db, 'unblock', boris.username, '--reason', 'разобрались');
  await deleteAccount(wall, vera);
  assert.deepEqual(await seen(), [401, 401, 401]);
  assert.deepEqual(await wall.db.read.selectFrom('program_tokens').select('id').execute(), []);
});

onWall('a person has at most twenty, also when they are made at once', async (wall) => {
  const anna = await register(wall);
  for (let i = 1; i < limits.tokens; i += 1) await makeToken(wall, anna, { name: `${i}` });
  const starts: Array<[string, string]> = [];
  for (const clientToken of ['a', 'b']) {
    anna.clientToken = clientToken;
    const { id } = (await startToken(anna)).json();
    starts.push([id, await wall.mail.codeTo(anna.email)]);
  }
  const made = await Promise.all(
    starts.map(([id, code], i) => outcome(verifyToken({ ...anna, clientToken: 'ab'[i]! }, id, code))),
  );
  const sorted = made.toSorted(([a], [b]) => a - b);
  assert.deepEqual(sorted, [[201], [403, 'FORBIDDEN']]);
  const refused = await startToken(anna);
  assert.equal(refused.json().message, 'У вас уже 20 токенов. Завершите ненужные, чтобы создать новый.');
});

onWalls({ ...noWait, READS_PER_MINUTE: '100000' })('a token ends after a year without use', async (wall) => {
  const anna = await register(wall);
  const [used, idle] = [await makeToken(wall, anna), await makeToken(wall, anna)];
  const program = programWith(wall, used.token);
  const lastUse = async () =>
    (await anna.send('GET', '/users/current/tokens')).json().tokens.find(({ id }: { id: string }) => id === used.id)
      ?.lastUsedAt;
  const first = wall.clock.now;
  await program('GET', '/posts');
  assert.equal(await lastUse(), first);
  wall.clock.now += 3_599;
  await program('GET', '/posts');
  assert.equal(await lastUse(), first, 'no write for each call');
  wall.clock.now += 1;
  await program('GET', '/posts');
  assert.equal(await lastUse(), first + 3_600);
  // A clock that is set back must neither end the token sooner nor stop the record.
  wall.clock.now = first - 30 * day;
  await program('GET', '/posts');
  assert.equal(await lastUse(), first - 30 * day);
  wall.clock.now = first + 365 * day;
  assert.equal((await program('GET', '/posts')).statusCode, 200);
  assert.deepEqual(await outcome(programWith(wall, idle.token)('GET', '/posts')), [401, 'UNAUTHORIZED']);
  await removeExpired(wall.db, wall.clock.now + 1);
  const left = await wall.db.read.selectFrom('program_tokens').select('id').execute();
  assert.deepEqual(left, [{ id: Number(used.id) }]);
});

onWall('an event stream with a token has its owner’s events, until the token is ended', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  const post = await publish(anna, 'запись');
  const { token, id } = await makeToken(wall, anna);
  await wall.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = wall.app.server.address() as AddressInfo;
  const stream = await readEvents(`http://127.0.0.1:${port}/api/v1/events`, { authorization: `Bearer ${token}` });
  await publish(boris, 'первый', `/posts/${post.id}/replies`);
  await stream.until((events) => events.some(({ changes }) => changes.unread === 1));
  await anna.send('DELETE', `/users/current/tokens/${id}`);
  await publish(boris, 'второй', `/posts/${post.id}/replies`);
  const last = await publish(boris, 'отдельно');
  await stream.until((events) => events.some(({ changes }) => JSON.stringify(changes).includes(last.id)));
  assert.ok(!stream.received.some(({ changes }) => changes.unread === 2));
  stream.close();
});

onWall('a refusal says which token is needed', async (wall) => {
  const anna = await register(wall);
  for (const [scope, path, message] of [
    ['read', '/posts', /^Этот токен только для чтения/],
    ['feed', '/posts', /^Этот токен только для адресов лент/],
    ['write', '/users/current/tokens', /^Токенам программ это недоступно/],
  ] as const) {
    const { token } = await makeToken(wall, anna, { scope });
    assert.match((await programWith(wall, token)('POST', path, {})).json().message, message);
  }
});

onWalls()('a program writes as its owner, within the same budgets', async (wall) => {
  const anna = await register(wall);
  const program = programWith(wall, (await makeToken(wall, anna, { scope: 'write' })).token);
  const published = await program('POST', '/posts', { text: 'от программы' });
  assert.deepEqual([published.statusCode, published.json().owner.id], [201, anna.id]);
  for (let i = 1; i < 40; i += 1) await publish(anna, `${i}`);
  for (const send of [program, anna.send]) {
    assert.deepEqual(await outcome(send('POST', '/posts', { text: 'x' })), [429, 'TOO_MANY_REQUESTS']);
  }
});

onWall('what a program gets is its owner’s and in no cache', async (wall) => {
  const anna = await register(wall);
  const { id } = await publish(anna, 'запись');
  await anna.send('POST', `/posts/${id}/likes`);
  const { token } = await makeToken(wall, anna);
  const program = programWith(wall, token);
  const visitors = await wall.get('/api/v1/posts');
  // Responses are cached from the second request on. If these were, the visitor below would get one of them.
  for (const path of ['/posts', '/posts', `/posts/${id}`]) {
    const own = await program('GET', path);
    assert.equal(own.headers['cache-control'], 'no-store');
    const [post] = own.json().posts ?? [own.json()];
    assert.equal(post.actions.is_liked, true);
  }
  const { text, headers, json } = await wall.get('/api/v1/posts');
  assert.deepEqual([text, headers['cache-control']], [visitors.text, visitors.headers['cache-control']]);
  assert.equal(json.posts[0].actions.is_liked, false);
  assert.equal((await program('GET', '/events')).json().unread, 0, 'personal events');
  const inCookie = await wall.app.inject({ url: '/api/v1/users/current', cookies: { session: token.slice(6) } });
  assert.equal(inCookie.statusCode, 401);
});
