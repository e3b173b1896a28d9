import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiPrefix } from '#contract/endpoint.ts';
import { table } from '#contract/table.ts';
import { newAddress } from '../../test/door.ts';
import { engines } from '../../test/engines.ts';
import { enterAgain, type Member, outcome, register, startDeletion, startEmailChange } from '../../test/member.ts';
import { openWall, type Wall } from '../../test/wall.ts';

/** Everything of somebody’s that has an id. */
async function belongings(owner: Member) {
  const { id: login } = (await owner.start('logins', owner.email)).json();
  const { id: registration } = (await owner.start('registrations', owner.email)).json();
  const { id: emailChange } = (await startEmailChange(owner, newAddress())).json();
  const { id: deletion } = (await startDeletion(owner)).json();
  const { sessions } = (await owner.send('GET', '/sessions')).json();
  const { id: post } = (await owner.send('POST', '/posts', { text: 'моё' })).json();
  return { user: owner.id, login, registration, emailChange, deletion, post, session: sessions[1].id };
}

type Kind = keyof Awaited<ReturnType<typeof belongings>>;

/** What a stranger is told who changes something by its id: all such calls of the contract, by name. */
const answers: Record<string, { of: Kind; told: [number, string?]; body?: object; query?: string }> = {
  verifyLogin: { of: 'login', told: [400, 'INVALID_REQUEST'], body: { confirmCode: '000000' } },
  verifyRegistration: { of: 'registration', told: [400, 'INVALID_REQUEST'], body: { confirmCode: '000000' } },
  verifyEmailChange: { of: 'emailChange', told: [400, 'OPERATION_EXPIRED'], body: { confirmCode: '000000' } },
  verifyDeletion: { of: 'deletion', told: [400, 'OPERATION_EXPIRED'], body: { confirmCode: '000000' } },
  closeSession: { of: 'session', told: [404, 'NOT_FOUND'] },
  editPost: { of: 'post', told: [403, 'FORBIDDEN'], body: { text: 'чужое' } },
  deletePost: { of: 'post', told: [403, 'FORBIDDEN'] },
  // Anybody may.
  likePost: { of: 'post', told: [200] },
  unlikePost: { of: 'post', told: [200] },
  createReply: { of: 'post', told: [201], body: { text: 'ответ' } },
  reportPost: { of: 'post', told: [204], query: '?reason_id=spam' },
  mute: { of: 'user', told: [204] },
  unmute: { of: 'user', told: [204] },
};

const rowsOf = async ({ db }: Wall, { id }: Member) => {
  const of = Number(id);
  const read = db.read;
  return {
    user: await read.selectFrom('users').select(['username', 'email', 'deleted_at']).where('id', '=', of).execute(),
    sessions: await read.selectFrom('sessions').selectAll().where('user_id', '=', of).orderBy('id').execute(),
    posts: await read.selectFrom('posts').select(['id', 'text']).where('user_id', '=', of).execute(),
    operations: await read.selectFrom('operations').select(['id', 'attempts']).orderBy('id').execute(),
  };
};

for (const engine of engines) {
  describe(`what is whose on ${engine}`, () => {
    test('nobody changes, deletes or closes what is somebody else’s', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const owner = await register(wall);
      await enterAgain(wall, owner);
      wall.clock.now += 61;
      const stranger = await register(wall);
      const things = await belongings(owner);
      const before = await rowsOf(wall, owner);

      const calls = table.filter(({ endpoint: { method, path } }) => method !== 'GET' && path.includes('{id}'));
      assert.deepEqual(calls.map(({ name }) => name).toSorted(), Object.keys(answers).toSorted());
      for (const { name, endpoint } of calls) {
        const { of, told, body, query = '' } = answers[name]!;
        const path = endpoint.path.replace('{id}', things[of]) + query;
        const asked = body && 'confirmCode' in body ? { ...body, clientToken: stranger.clientToken } : body;
        assert.deepEqual(
          await outcome(stranger.send(endpoint.method, path, asked)),
          told,
          `${name} ${apiPrefix}${path}`,
        );
      }
      // Those that name nothing touch the caller's own alone.
      await stranger.send('DELETE', '/sessions');
      await stranger.send('PATCH', '/users/current/profile', { username: 'a_stranger' });
      await stranger.send('DELETE', '/sessions/current');
      assert.deepEqual(await rowsOf(wall, owner), before);
    });

    test('what is one’s own is listed to nobody else', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const owner = await register(wall);
      const stranger = await register(wall);
      const { post } = await belongings(await enterAgain(wall, owner));
      await owner.send('POST', `/posts/${post}/likes`);
      await owner.send('POST', `/posts/${post}/replies`, { text: 'ещё' });
      const passerBy = await register(wall);
      await passerBy.send('POST', `/posts/${post}/replies`, { text: 'тебе' });
      await owner.send('PUT', `/users/current/mutes/${passerBy.id}`);
      const seen = await Promise.all(
        [
          '/sessions',
          '/users/current/export',
          '/posts?filter=liked',
          '/posts/replies',
          '/users/current/answers',
          '/users/current/mutes',
        ].map(async (path) => (await stranger.send('GET', path)).json()),
      );
      const [{ sessions }, exported, liked, replies, answered, { users: muted }] = seen;
      assert.equal(sessions.length, 1);
      assert.deepEqual([exported.posts, exported.replies, exported.likes], [[], [], []]);
      assert.deepEqual([liked.total, replies.total, answered.total, answered.unread, muted], [0, 0, 0, 0, []]);
    });
  });
}
