import { isDeepStrictEqual } from 'node:util';
import { isForKeepers } from '#contract/endpoint.ts';
import { table } from '#contract/table.ts';
import { type AppWithMail, newAddress } from './sign-in.ts';
import { makeToken } from './api-token.ts';
import { signInElsewhere, type Member, outcome, register, startDeletion, startEmailChange } from './member.ts';
import type { Wall } from './wall.ts';

/** The app in this process or one over HTTP. */
export type SharedWall = AppWithMail & Pick<Wall, 'db' | 'clock'>;

export interface TwoPeople {
  /** The calls that change something by its id. */
  calls: string[];
  /** Violations, in words: what another person could do, and wrong responses. */
  faults: string[];
}

/** The ids of everything that one person owns. */
async function createOwned(wall: SharedWall, owner: Member) {
  // Before other codes are sent to the same address.
  const { id: token } = await makeToken(wall, owner);
  const { id: login } = (await owner.start('logins', owner.email)).json();
  const { id: registration } = (await owner.start('registrations', owner.email)).json();
  const { id: emailChange } = (await startEmailChange(owner, newAddress())).json();
  const { id: deletion } = (await startDeletion(owner)).json();
  const { sessions } = (await owner.send('GET', '/sessions')).json();
  const { id: post } = (await owner.send('POST', '/posts', { text: 'моё' })).json();
  await owner.send('PUT', `/posts/${post}/bookmark`);
  return { user: owner.id, token, login, registration, emailChange, deletion, post, session: sessions[1].id };
}

type Kind = keyof Awaited<ReturnType<typeof createOwned>>;

/** The expected responses when another person changes something by its id, for every such call of the contract. */
const expectedResponses: Record<string, { of: Kind; expected: [number, string?]; body?: object; query?: string }> = {
  verifyLogin: { of: 'login', expected: [400, 'INVALID_REQUEST'], body: { confirmCode: '000000' } },
  verifyRegistration: { of: 'registration', expected: [400, 'INVALID_REQUEST'], body: { confirmCode: '000000' } },
  verifyEmailChange: { of: 'emailChange', expected: [400, 'OPERATION_EXPIRED'], body: { confirmCode: '000000' } },
  verifyDeviceConfirmation: { of: 'deletion', expected: [400, 'OPERATION_EXPIRED'], body: { confirmCode: '000000' } },
  verifyDeletion: { of: 'deletion', expected: [400, 'OPERATION_EXPIRED'], body: { confirmCode: '000000' } },
  verifyApiToken: {
    of: 'deletion',
    expected: [400, 'OPERATION_EXPIRED'],
    body: { confirmCode: '000000', name: 'x', scope: 'write' },
  },
  endApiToken: { of: 'token', expected: [404, 'NOT_FOUND'] },
  closeSession: { of: 'session', expected: [404, 'NOT_FOUND'] },
  // Only an old hand has one; here it is one that does not exist.
  endInvitation: { of: 'post', expected: [404, 'NOT_FOUND'] },
  editPost: { of: 'post', expected: [403, 'FORBIDDEN'], body: { text: 'чужое' } },
  deletePost: { of: 'post', expected: [403, 'FORBIDDEN'] },
  restorePost: { of: 'post', expected: [404, 'NOT_FOUND'] },
  sharePost: { of: 'post', expected: [403, 'FORBIDDEN'] },
  unsharePost: { of: 'post', expected: [403, 'FORBIDDEN'] },
  // Anybody may do this.
  likePost: { of: 'post', expected: [200] },
  unlikePost: { of: 'post', expected: [200] },
  createReply: { of: 'post', expected: [201], body: { text: 'ответ' } },
  reportPost: { of: 'post', expected: [204], query: '?reason_id=spam' },
  follow: { of: 'post', expected: [200] },
  unfollow: { of: 'post', expected: [200] },
  saveBookmark: { of: 'post', expected: [204] },
  removeBookmark: { of: 'post', expected: [204] },
  mute: { of: 'user', expected: [204] },
  unmute: { of: 'user', expected: [204] },
};

const rowsOf = async ({ db }: SharedWall, { id }: Member) => {
  const of = Number(id);
  const read = db.read;
  return {
    user: await read
      .selectFrom('users')
      .select(['username', 'display_name', 'about', 'email', 'deleted_at'])
      .where('id', '=', of)
      .execute(),
    sessions: await read.selectFrom('sessions').selectAll().where('user_id', '=', of).orderBy('id').execute(),
    tokens: await read.selectFrom('program_tokens').selectAll().where('user_id', '=', of).execute(),
    posts: await read.selectFrom('posts').select(['id', 'text']).where('user_id', '=', of).execute(),
    bookmarks: await read.selectFrom('bookmarks').selectAll().where('user_id', '=', of).execute(),
    operations: await read.selectFrom('operations').select(['id', 'attempts']).orderBy('id').execute(),
  };
};

export const callsByStrangers: readonly string[] = Object.keys(expectedResponses).toSorted();

/** Tries every call that changes something by its id, as a person who does not own it. */
export async function changeWhatIsForeign(wall: SharedWall): Promise<TwoPeople> {
  const owner = await register(wall);
  await signInElsewhere(wall, owner);
  wall.clock.now += 61;
  const stranger = await register(wall);
  const owned = await createOwned(wall, owner);
  const before = await rowsOf(wall, owner);

  const faults: string[] = [];
  const calls = table.filter(
    ({ endpoint: { method, path, access } }) =>
      // Acts of moderators are meant for what belongs to others; for these two people they do not exist.
      !isForKeepers(access) && method !== 'GET' && path.includes('{id}'),
  );
  for (const { name, endpoint } of calls) {
    const { of, expected, body, query = '' } = expectedResponses[name]!;
    const path = endpoint.path.replace('{id}', owned[of]) + query;
    const asked = body && 'confirmCode' in body ? { ...body, clientToken: stranger.clientToken } : body;
    const response = await outcome(stranger.send(endpoint.method, path, asked));
    if (!isDeepStrictEqual(response, expected)) faults.push(`${name} ${path} returned ${response.join(' ')}`);
  }
  // Calls without an id affect only the caller.
  await stranger.send('DELETE', '/sessions');
  await stranger.send('PATCH', '/users/current/profile', {
    username: `stranger_${stranger.id}`,
    display_name: 'Чужой',
    about: 'Чужое',
  });
  await stranger.send('DELETE', '/sessions/current');
  const after = await rowsOf(wall, owner);
  if (!isDeepStrictEqual(after, before)) faults.push(`${JSON.stringify(before)} is ${JSON.stringify(after)}`);
  return { calls: calls.map(({ name }) => name), faults };
}

/** Counts the items in the lists of a person who owns nothing: only their own session is expected. */
export async function listWhatIsForeign(wall: SharedWall): Promise<Record<string, number>> {
  const owner = await register(wall);
  const stranger = await register(wall);
  const { post } = await createOwned(wall, await signInElsewhere(wall, owner));
  await owner.send('POST', `/posts/${post}/likes`);
  await owner.send('POST', `/posts/${post}/replies`, { text: 'ещё' });
  const passerBy = await register(wall);
  await passerBy.send('POST', `/posts/${post}/replies`, { text: 'тебе' });
  await owner.send('PUT', `/users/current/mutes/${passerBy.id}`);
  await owner.send('PUT', `/posts/${post}/follow`);
  await owner.send('PUT', '/users/current/reading', { list: 'feed', post_id: post });
  const ask = async (path: string) => (await stranger.send('GET', path)).json();
  const exported = await ask('/users/current/export');
  const notified = await ask('/users/current/notifications');
  return {
    sessions: (await ask('/sessions')).sessions.length,
    tokens: (await ask('/users/current/tokens')).tokens.length + exported.tokens.length,
    exported: exported.posts.length + exported.replies.length + exported.likes.length,
    liked: (await ask('/posts?filter=liked')).total,
    replies: (await ask('/posts/replies')).total,
    notifications: notified.total + notified.unread,
    follows: exported.follows.length + (await ask('/users/current/following')).discussions.length,
    bookmarks: exported.bookmarks.length + (await ask('/users/current/bookmarks')).posts.length,
    muted: (await ask('/users/current/mutes')).users.length,
    read: exported.reading.length + ((await ask('/users/current/reading')).feed === null ? 0 : 1),
  };
}

export const shownToStrangers = {
  sessions: 1,
  tokens: 0,
  exported: 0,
  liked: 0,
  replies: 0,
  notifications: 0,
  follows: 0,
  bookmarks: 0,
  muted: 0,
  read: 0,
};
