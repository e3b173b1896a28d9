import { isDeepStrictEqual } from 'node:util';
import { table } from '#contract/table.ts';
import { type FrontDoor, newAddress } from './door.ts';
import { enterAgain, type Member, outcome, register, startDeletion, startEmailChange } from './member.ts';
import type { Wall } from './wall.ts';

/** The app itself or one that is asked over HTTP. */
export type SharedWall = FrontDoor & Pick<Wall, 'db' | 'clock'>;

export interface TwoPeople {
  /** Calls that change something by its id. */
  calls: string[];
  /** What a stranger could do or was told otherwise than they should be, in words. */
  faults: string[];
}

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
  verifyDeviceConfirmation: { of: 'deletion', told: [400, 'OPERATION_EXPIRED'], body: { confirmCode: '000000' } },
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

const rowsOf = async ({ db }: SharedWall, { id }: Member) => {
  const of = Number(id);
  const read = db.read;
  return {
    user: await read.selectFrom('users').select(['username', 'email', 'deleted_at']).where('id', '=', of).execute(),
    sessions: await read.selectFrom('sessions').selectAll().where('user_id', '=', of).orderBy('id').execute(),
    posts: await read.selectFrom('posts').select(['id', 'text']).where('user_id', '=', of).execute(),
    operations: await read.selectFrom('operations').select(['id', 'attempts']).orderBy('id').execute(),
  };
};

export const callsByStrangers: readonly string[] = Object.keys(answers).toSorted();

/** A stranger tries every call of the contract that changes something by its id on what is somebody else's. */
export async function changeWhatIsForeign(wall: SharedWall): Promise<TwoPeople> {
  const owner = await register(wall);
  await enterAgain(wall, owner);
  wall.clock.now += 61;
  const stranger = await register(wall);
  const things = await belongings(owner);
  const before = await rowsOf(wall, owner);

  const faults: string[] = [];
  const calls = table.filter(({ endpoint: { method, path } }) => method !== 'GET' && path.includes('{id}'));
  for (const { name, endpoint } of calls) {
    const { of, told, body, query = '' } = answers[name]!;
    const path = endpoint.path.replace('{id}', things[of]) + query;
    const asked = body && 'confirmCode' in body ? { ...body, clientToken: stranger.clientToken } : body;
    const answer = await outcome(stranger.send(endpoint.method, path, asked));
    if (!isDeepStrictEqual(answer, told)) faults.push(`${name} ${path} was answered ${answer.join(' ')}`);
  }
  // Those that name nothing touch the caller's own alone.
  await stranger.send('DELETE', '/sessions');
  await stranger.send('PATCH', '/users/current/profile', { username: `stranger_${stranger.id}` });
  await stranger.send('DELETE', '/sessions/current');
  const after = await rowsOf(wall, owner);
  if (!isDeepStrictEqual(after, before)) faults.push(`${JSON.stringify(before)} is ${JSON.stringify(after)}`);
  return { calls: calls.map(({ name }) => name), faults };
}

/** How much of what is somebody's own a stranger is shown in lists of their own: one session, theirs, and nothing else. */
export async function listWhatIsForeign(wall: SharedWall): Promise<Record<string, number>> {
  const owner = await register(wall);
  const stranger = await register(wall);
  const { post } = await belongings(await enterAgain(wall, owner));
  await owner.send('POST', `/posts/${post}/likes`);
  await owner.send('POST', `/posts/${post}/replies`, { text: 'ещё' });
  const passerBy = await register(wall);
  await passerBy.send('POST', `/posts/${post}/replies`, { text: 'тебе' });
  await owner.send('PUT', `/users/current/mutes/${passerBy.id}`);
  const ask = async (path: string) => (await stranger.send('GET', path)).json();
  const exported = await ask('/users/current/export');
  const answered = await ask('/users/current/answers');
  return {
    sessions: (await ask('/sessions')).sessions.length,
    exported: exported.posts.length + exported.replies.length + exported.likes.length,
    liked: (await ask('/posts?filter=liked')).total,
    replies: (await ask('/posts/replies')).total,
    answers: answered.total + answered.unread,
    muted: (await ask('/users/current/mutes')).users.length,
  };
}

export const shownToStrangers = { sessions: 1, exported: 0, liked: 0, replies: 0, answers: 0, muted: 0 };
