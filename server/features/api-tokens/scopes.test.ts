import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restorePost } from '#contract/posts.ts';
import { table } from '#contract/table.ts';
import { appoint } from '../../../test/kit/desk.ts';
import { engines } from '../../../test/kit/engines.ts';
import { register } from '../../../test/kit/member.ts';
import { makeToken, programWith } from '../../../test/kit/api-token.ts';
import { openWall } from '../../../test/kit/wall.ts';

// Written out, and not derived from the contract: a call that a program may make is added here on purpose.
const reading = `
  getCurrentUser getUser listNotifications getFollow getNotificationSettings listMutes listPosts getPost listReplies getThread
  listDiscussed listFollowing listWaiting listBookmarks getBookmark listOwnReplies listRemoved getReading searchPosts listSuggestions readEvents getWallText
  listReasons`;
const writing = `
  readNotifications follow unfollow mute unmute createPost editPost deletePost likePost unlikePost createReply putReading
  reportPost restorePost saveBookmark removeBookmark sharePost unsharePost`;

const named = (names: string): Set<string> => new Set(names.trim().split(/\s+/));
const [readable, writable] = [named(reading), named(writing)];

const calls = [
  ...table.map(({ name, endpoint }) => ({ name, endpoint })),
  { name: 'restorePost', endpoint: restorePost },
];

const forPrograms = /^Токенам программ это недоступно/;
const readOnly = /^Этот токен только для чтения/;

/** The guard's response to a call; undefined when the call passes. */
function expectedRefusal(name: string, access: string, scope: 'read' | 'write'): [number, RegExp] | undefined {
  if (access === 'moderator' || access === 'owner') return [404, /^Ничего не найдено/];
  // These calls know the cookie alone, and a program has none.
  if (access === 'cookie') return [403, /^Это действие вам недоступно/];
  if (readable.has(name)) return undefined;
  if (!writable.has(name)) return [403, forPrograms];
  return scope === 'read' ? [403, readOnly] : undefined;
}

for (const engine of engines) {
  test(`each token makes exactly the calls of its scope, of all calls of the contract, on ${engine}`, async () => {
    await using wall = await openWall(engine, { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' });
    const anna = await register(wall);
    await appoint(wall, anna);
    const { id: post } = (await anna.send('POST', '/posts', { text: 'моя запись' })).json();
    const accounts = () => wall.db.read.selectFrom('users').selectAll().execute();
    const before = await accounts();
    const sessions = await wall.db.read.selectFrom('sessions').selectAll().execute();
    const faults: string[] = [];
    const passed = { read: new Set<string>(), write: new Set<string>() };
    for (const scope of ['read', 'write'] as const) {
      const { token } = await makeToken(wall, anna, { scope });
      const call = programWith(wall, token);
      for (const { name, endpoint } of calls) {
        const { method, access } = endpoint;
        // An id of nothing: what a call would change must stay for the calls after it.
        const path = endpoint.path.replace('{id}', method === 'GET' ? post : '0').replace('{username}', anna.username);
        const response = await call(method, path.replace('{name}', 'about'), method === 'GET' ? undefined : {});
        const { message = '' } = response.statusCode < 400 ? {} : response.json();
        const refusal = expectedRefusal(name, access, scope);
        const isRefused = [forPrograms, readOnly].some((text) => text.test(message));
        if (!refusal) passed[scope].add(name);
        const isRight = refusal
          ? response.statusCode === refusal[0] && refusal[1].test(message)
          : !isRefused && response.statusCode !== 401;
        if (!isRight) faults.push(`${scope} ${name}: ${response.statusCode} ${response.body.slice(0, 200)}`);
      }
    }
    assert.deepEqual(faults, []);
    assert.deepEqual(passed.read, readable);
    assert.deepEqual(passed.write, new Set([...readable, ...writable]));
    assert.deepEqual(await accounts(), before);
    assert.deepEqual(await wall.db.read.selectFrom('sessions').selectAll().execute(), sessions);
    assert.equal((await wall.db.read.selectFrom('program_tokens').select('id').execute()).length, 2);
  });

  test(`a program with the scope does what its owner does, within the same budgets, on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const anna = await register(wall);
    const { token } = await makeToken(wall, anna, { scope: 'write' });
    const program = programWith(wall, token);
    const published = await program('POST', '/posts', { text: 'от программы' });
    assert.equal(published.statusCode, 201, published.body);
    const { id, owner } = published.json();
    assert.equal(owner.id, anna.id);
    assert.equal((await program('PATCH', `/posts/${id}`, { text: 'исправлено' })).statusCode, 200);
    assert.equal((await program('POST', `/posts/${id}/likes`)).json().likes_count, 1);
    assert.equal((await program('POST', `/posts/${id}/replies`, { text: 'ответ' })).statusCode, 201);
    assert.equal((await program('GET', '/users/current')).json().username, anna.username);
    // Five posts a minute: three of the program's and two of the person's.
    for (let i = 0; i < 2; i += 1) assert.equal((await anna.send('POST', '/posts', { text: `${i}` })).statusCode, 201);
    assert.equal((await program('POST', '/posts', { text: 'третья' })).statusCode, 201);
    for (const refused of [
      await program('POST', '/posts', { text: 'x' }),
      await anna.send('POST', '/posts', { text: 'x' }),
    ])
      assert.equal(refused.statusCode, 429);
    assert.equal((await program('DELETE', `/posts/${id}`)).statusCode, 204);
    assert.equal((await wall.get(`/api/v1/posts/${id}`)).status, 404);
  });

  test(`what a program gets is its owner's and in no cache, and no page of another site may use a token, on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const anna = await register(wall);
    const { id } = (await anna.send('POST', '/posts', { text: 'запись' })).json();
    await anna.send('POST', `/posts/${id}/likes`);
    const { token } = await makeToken(wall, anna);
    const program = programWith(wall, token);
    const visitors = await wall.get('/api/v1/posts');
    // The second visitor gets what is cached.
    for (const path of ['/posts', '/posts', `/posts/${id}`]) {
      const own = await program('GET', path);
      assert.equal(own.headers['cache-control'], 'no-store');
      const [post] = own.json().posts ?? [own.json()];
      assert.equal(post.actions.is_liked, true);
    }
    const after = await wall.get('/api/v1/posts');
    assert.deepEqual([after.text, after.headers['cache-control']], [visitors.text, visitors.headers['cache-control']]);
    assert.equal(after.json.posts[0].actions.is_liked, false);
    assert.equal((await program('GET', '/posts?filter=liked')).json().total, 1);
    assert.equal((await program('GET', '/events')).json().unread, 0, 'personal events');

    const writer = programWith(wall, (await wallTokenAfterMinute()).token);
    const foreign = await writer('POST', '/posts', { text: 'чужая' }, { origin: 'https://evil.example' });
    assert.deepEqual([foreign.statusCode, foreign.json().code], [403, 'FORBIDDEN']);
    const inCookie = await wall.app.inject({ url: '/api/v1/users/current', cookies: { session: token.slice(6) } });
    assert.equal(inCookie.statusCode, 401);

    async function wallTokenAfterMinute() {
      wall.clock.now += 61;
      return makeToken(wall, anna, { scope: 'write' });
    }
  });
}
