import assert from 'node:assert/strict';
import { device, type Program, wrong } from '../program.ts';
import type { Check } from '../ledger.ts';
import type { Wall } from '../wall.ts';

type Journey = (wall: Wall, check: Check) => Promise<void>;

const keysOf = (value: object): string[] => Object.keys(value).toSorted();

function has(value: object, ...names: string[]): void {
  for (const name of names) assert.ok(name in value, `no ${name} in ${keysOf(value).join(', ')}`);
}

const isSeconds = (value: unknown): void => {
  assert.ok(Number.isInteger(value) && Math.abs((value as number) - Date.now() / 1_000) < 1_000, String(value));
};

function refused(answer: Awaited<ReturnType<Program['send']>>, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.body.code], [status, code]);
  assert.match(answer.body.message, /[а-я]/);
}

/** Signing in, and its errors. */
async function entering(wall: Wall, check: Check): Promise<void> {
  const person = wall.visitor();
  const { clientToken } = person;
  const email = wall.newAddress();
  await check(['8.1', '8.6', '3.12'], async () => {
    for (const purpose of ['logins', 'registrations'] as const) {
      const answer = await person.send('POST', `/${purpose}`, { email: 'мимо', clientToken, device });
      refused(answer, 400, 'INVALID_REQUEST');
      assert.deepEqual(keysOf(answer.body), ['code', 'message']);
    }
  });
  await check('7.7', async () => refused(await person.start('logins', email), 400, 'USER_NOT_FOUND'));
  for (const [purpose, ids, call, verify] of [
    ['registrations', ['8.10', '8.8', '8.9'], '7.5', '7.6'],
    ['logins', ['8.5', '8.3', '8.4'], '7.7', '7.8'],
  ] as const) {
    const started = await person.start(purpose, email);
    await check(['3.8', call], () => {
      assert.deepEqual([started.status, keysOf(started.body)], [201, ['id']]);
    });
    const code = await wall.mailbox.codeTo(email);
    await check(ids[0], async () => {
      refused(await person.verify(purpose, started.body.id, wrong(code)), 400, 'INVALID_CONFIRM_CODE');
    });
    await check(['3.9', verify], async () => {
      const { status, body } = await person.verify(purpose, started.body.id, code);
      assert.equal(status, 200);
      has(body.accessToken, 'token', 'expiresAt');
      isSeconds(body.accessToken.expiresAt);
    });
    await check(ids[2], async () => {
      refused(await person.verify(purpose, started.body.id, code), 400, 'OPERATION_EXPIRED');
    });
  }
  const guesser = wall.visitor();
  for (const [purpose, id] of [
    ['registrations', '8.8'],
    ['logins', '8.3'],
  ] as const) {
    await check(id, async () => {
      const { body } = await guesser.start(purpose, purpose === 'logins' ? email : wall.newAddress());
      for (let left = 4; left > 0; left -= 1) {
        refused(await guesser.verify(purpose, body.id, '000000'), 400, 'INVALID_CONFIRM_CODE');
      }
      refused(await guesser.verify(purpose, body.id, '000000'), 400, 'MAX_CONFIRM_ATTEMPTS');
    });
  }
}

/** The person and the sessions. */
async function having(wall: Wall, check: Check): Promise<void> {
  const person = await wall.person();
  const other = await wall.person();
  const { clientToken, email } = person;
  const me = await person.call('GET', '/users/current');
  await check(['3.4', '7.9', '1.15'], () => {
    has(me, 'id', 'username', 'email');
    assert.equal(me.email, email);
  });
  await check('7.4', async () => {
    const { accessToken } = await person.call('PATCH', '/sessions/current', { clientToken });
    has(accessToken, 'token', 'expiresAt');
    isSeconds(accessToken.expiresAt);
    person.token = accessToken.token;
  });
  const taken = (await other.call('GET', '/users/current')).username;
  await check(['7.12', '8.18', '8.19', '1.14'], async () => {
    assert.equal((await person.call('GET', '/users/guest_first/validation')).available, true);
    refused(await person.send('GET', '/users/a-b-c/validation'), 400, 'INVALID_USERNAME');
    for (const name of [taken, taken.toUpperCase(), 'moderator_1']) {
      refused(await person.send('GET', `/users/${name}/validation`), 400, 'USERNAME_ALREADY_EXISTS');
    }
  });
  await check(['7.13', '1.14'], async () => {
    refused(await person.send('PATCH', '/users/current/profile', { username: taken }), 400, 'USERNAME_ALREADY_EXISTS');
    const user = await person.call('PATCH', '/users/current/profile', { username: 'first_user_of_http' });
    assert.equal(user.username, 'first_user_of_http');
  });

  const next = wall.newAddress();
  await check(['8.12', '1.15'], async () => {
    const body = { email: other.email, clientToken };
    refused(await person.send('PUT', '/users/current/email', body), 400, 'EMAIL_ALREADY_EXISTS');
  });
  const started = await person.send('PUT', '/users/current/email', { email: next, clientToken });
  await check('7.10', () => assert.deepEqual([started.status, keysOf(started.body)], [201, ['id']]));
  const verify = (confirmCode: string) =>
    person.send('PUT', `/users/current/email/${started.body.id}/verify`, { confirmCode, clientToken });
  await check(['8.15', '7.11', '3.11', '8.16'], async () => {
    const code = await wall.mailbox.codeTo(next);
    refused(await verify(wrong(code)), 400, 'INVALID_CONFIRM_CODE');
    const { status, body } = await verify(code);
    assert.deepEqual([status, body], [200, { email: next }]);
    assert.equal((await person.call('GET', '/users/current')).email, next);
    refused(await verify(code), 400, 'OPERATION_EXPIRED');
  });
  await check('8.14', async () => {
    const body = { email: wall.newAddress(), clientToken: other.clientToken };
    const { id } = await other.call('PUT', '/users/current/email', body);
    const path = `/users/current/email/${id}/verify`;
    const guess = { confirmCode: '000000', clientToken: other.clientToken };
    for (let left = 4; left > 0; left -= 1) await other.send('PUT', path, guess);
    refused(await other.send('PUT', path, guess), 400, 'MAX_CONFIRM_ATTEMPTS');
  });

  const second = wall.visitor();
  const third = wall.visitor();
  await second.enter('logins', next);
  await third.enter('registrations', next);
  const isOut = async (program: Program) => refused(await program.send('GET', '/users/current'), 401, 'UNAUTHORIZED');
  const { sessions } = await person.call('GET', '/sessions');
  await check(['7.25', '3.5'], () => {
    assert.equal(sessions.length, 3);
    for (const session of sessions) {
      has(session, 'id', 'current', 'createdAt', 'device');
      assert.deepEqual(session.device, device);
      isSeconds(session.createdAt);
    }
    assert.deepEqual(
      sessions.map(({ current }: { current: boolean }) => current),
      [true, false, false],
    );
  });
  await check('7.26', async () => {
    refused(await person.send('DELETE', `/sessions/${sessions[0].id}`), 403, 'FORBIDDEN');
    const { sessions: seen } = await second.call('GET', '/sessions');
    const own = seen.find(({ current }: { current: boolean }) => current);
    assert.equal((await person.send('DELETE', `/sessions/${own.id}`)).status, 204);
    await isOut(second);
  });
  await check('7.27', async () => {
    assert.equal((await person.send('DELETE', '/sessions')).status, 204);
    await isOut(third);
    assert.equal((await person.call('GET', '/sessions')).sessions.length, 1);
  });
  await check('7.28', async () => {
    // A body of that type may be empty.
    const answer = await person.send('DELETE', '/sessions/current', undefined, { 'content-type': 'application/json' });
    assert.equal(answer.status, 204);
    await isOut(person);
  });
}

/** Posts. */
async function writing(wall: Wall, check: Check): Promise<void> {
  const person = await wall.person();
  const reader = await wall.person();
  const { id: userId, username } = await person.call('GET', '/users/current');
  const post = await person.post('По HTTP');
  await check(['3.1', '7.16'], () => {
    has(post, 'id', 'text', 'created_at', 'is_modified', 'owner', 'actions');
    assert.deepEqual(
      [post.text, post.is_modified, post.owner.id, post.owner.username],
      ['По HTTP', false, userId, username],
    );
    isSeconds(post.created_at);
  });
  await check('3.2', () => {
    const { is_liked, likes_count, replies_count, parent_post_id, replied_post_id } = post.actions;
    assert.deepEqual(
      [is_liked, likes_count, replies_count, parent_post_id, replied_post_id],
      [false, 0, 0, null, null],
    );
  });
  const reply = await reader.reply(post.id, 'Ответ по HTTP');
  await check(['3.3', '3.2', '7.22'], () => {
    assert.deepEqual([reply.actions.parent_post_id, reply.actions.replied_post_id], [post.id, post.id]);
    has(reply.actions.replied_post, 'id', 'text', 'created_at', 'is_modified', 'owner');
    assert.equal(reply.actions.replied_post.id, post.id);
  });
  await check('7.15', async () => {
    const read = await wall.visitor().call('GET', `/posts/${post.id}`);
    assert.deepEqual([read.id, read.actions.replies_count], [post.id, 1]);
  });
  await check(['3.10', '7.19'], async () => {
    assert.deepEqual(await reader.call('POST', `/posts/${post.id}/likes`), { likes_count: 1 });
    assert.deepEqual(await reader.call('DELETE', `/posts/${post.id}/likes`), { likes_count: 0 });
    await reader.call('POST', `/posts/${post.id}/likes`);
  });
  const idsOf = ({ posts }: { posts: Array<{ id: string }> }): string[] => posts.map(({ id }) => id);
  await check(['3.7', '7.14'], async () => {
    await person.post('Вторая по HTTP');
    const all = await wall.visitor().call('GET', '/posts?page=1&limit=1&filter=all');
    has(all, 'posts', 'firstPage', 'lastPage', 'total');
    assert.deepEqual([all.posts.length, all.firstPage, all.lastPage], [1, 1, all.total]);
    const own = await wall.visitor().call('GET', `/posts?page=2&limit=1&userId=${userId}`);
    assert.deepEqual([idsOf(own), own.total], [[post.id], 2]);
    const liked = await reader.call('GET', '/posts?filter=liked');
    assert.deepEqual([idsOf(liked), liked.posts[0].actions.is_liked], [[post.id], true]);
    assert.equal((await wall.visitor().call('GET', '/posts?limit=100&userId=')).firstPage, 1);
  });
  await check('7.20', async () => {
    const replies = await wall.visitor().call('GET', `/posts/${post.id}/replies?page=1&limit=10`);
    assert.deepEqual([idsOf(replies), replies.total], [[reply.id], 1]);
  });
  await check('7.21', async () => {
    assert.deepEqual(idsOf(await reader.call('GET', '/posts/replies?page=1&limit=10')), [reply.id]);
  });
  await check('7.17', async () => {
    const changed = await person.call('PATCH', `/posts/${post.id}`, { text: 'Иначе' });
    assert.deepEqual([changed.id, changed.text, changed.is_modified], [post.id, 'Иначе', true]);
  });
  const { reasons } = await reader.call('GET', '/reports/reasons');
  await check(['3.6', '7.24'], () => {
    for (const reason of reasons) assert.deepEqual(keysOf(reason), ['id', 'name']);
  });
  await check('7.23', async () => {
    for (const { id } of reasons) {
      const answer = await reader.send('POST', `/posts/${post.id}/reports?reason_id=${id}`);
      assert.equal(answer.status, 204, id);
    }
  });
  await check('7.18', async () => {
    assert.equal((await person.send('DELETE', `/posts/${post.id}`)).status, 204);
    refused(await person.send('GET', `/posts/${post.id}`), 404, 'NOT_FOUND');
  });
}

export const httpJourneys: readonly Journey[] = [entering, having, writing];
