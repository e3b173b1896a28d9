import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { commonCodes, isForKeepers, statusOf } from '#contract/call.ts';
import { type CallRow, callTable } from '#contract/calls.ts';
import { apiPrefix } from '#contract/endpoint.ts';
import { type ErrorBody, type ErrorCode, errors } from '#contract/errors.ts';
import * as values from '#contract/example-values.ts';
import {
  type Caller,
  newCaller,
  type Input,
  inputsOf,
  type CallerKind,
  kinds,
  somebody,
} from '../../../test/kit/callers.ts';
import { close, settings } from '../../../test/kit/closed-wall.ts';
import { registerModerator } from '../../../test/kit/desk.ts';
import { type Engine, engines } from '../../../test/kit/engines.ts';
import { register, signInElsewhere } from '../../../test/kit/member.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { newUser, now } from '../../../test/kit/signed-in.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { openApi } from '../../http/openapi.ts';
import { storedTables } from '../account/stored-tables.ts';

// All calls of the contract by all kinds of callers. Names are written out where the contract decides about single calls.

const named = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

/** The calls that a closed wall allows without a session. A new call needs one until it is named here. */
const waysIn = named(`
  startLogin verifyLogin startRegistration verifyRegistration getMailState renewToken closeCurrentSession getInvitation
  checkOwnerLink getClaim getWallText getSharedPost`);

/** The other calls with which everybody may read an open wall. */
const forVisitors = named(`
  listPosts listDiscussed listBest getPost listReplies getThread searchPosts readEvents listReasons getUser`);

/** The calls that an API token for reading allows. A token for writing also allows those of `forWriting`. */
const forReading = named(`
  getCurrentUser getUser listNotifications getFollow getNotificationSettings listMutes listPosts getPost listReplies
  getThread listDiscussed listBest listFollowing listWords listWaiting listBookmarks getBookmark listOwnReplies listRemoved getReading
  searchPosts listSuggestions listUsers readEvents getWallText listReasons`);
const forWriting = named(`
  readNotifications follow unfollow mute unmute createPost editPost deletePost likePost unlikePost createReply
  putReading reportPost restorePost saveBookmark removeBookmark sharePost unsharePost
  closeReplies openReplies followAuthor unfollowAuthor putWord removeWord`);

/** The calls that change something about a thing of somebody else and that everybody may make. */
const forAnybody = named(`
  likePost unlikePost createReply reportPost follow unfollow saveBookmark removeBookmark mute unmute
  followAuthor unfollowAuthor`);

/** The response to somebody else than the one to whom the thing belongs. */
const toOthers: Readonly<Record<string, ErrorCode>> = {
  editPost: 'FORBIDDEN',
  deletePost: 'FORBIDDEN',
  sharePost: 'FORBIDDEN',
  unsharePost: 'FORBIDDEN',
  closeReplies: 'FORBIDDEN',
  openReplies: 'FORBIDDEN',
  restorePost: 'NOT_FOUND',
  readNotifications: 'NOT_FOUND',
  closeSession: 'NOT_FOUND',
  endApiToken: 'NOT_FOUND',
  endInvitation: 'NOT_FOUND',
  getMailState: 'NOT_FOUND',
  verifyLogin: 'INVALID_REQUEST',
  verifyRegistration: 'INVALID_REQUEST',
  verifyEmailChange: 'OPERATION_EXPIRED',
  verifyDeletion: 'OPERATION_EXPIRED',
  verifyApiToken: 'OPERATION_EXPIRED',
  verifyModeration: 'OPERATION_EXPIRED',
  endInvite: 'FORBIDDEN',
};

/** Calls that end the session, the account or the name of the caller, so each is made by a new caller. */
const endTheCaller = named('closeCurrentSession claimAccount changeProfile');

/** The calls by which moderators act on posts and people of others. */
const actsOnOthers = new Set(['/moderation/posts', '/moderation/people']);

/** Refusals of a call that the caller makes on the caller's own post or account. */
const toOneself: Readonly<Record<string, ErrorCode>> = {
  reportPost: 'FORBIDDEN',
  mute: 'FORBIDDEN',
  followAuthor: 'FORBIDDEN',
};

/** The code with which a call refuses a caller; undefined if it does not. */
function refusalOf(
  { name, method, access, scope }: CallRow,
  kind: CallerKind,
  isClosed: boolean,
): ErrorCode | undefined {
  const { role, signedIn, isBlocked } = kind;
  const hasToken = kind.scope !== undefined || (signedIn !== undefined && !kind.hasOnlyCookie);
  const hasCookie = signedIn === 'open' || signedIn === 'run out';
  // A request with a token is judged by its token, also on a closed wall. Without a token and a session only the ways in are open.
  if (isClosed && !hasToken && !waysIn.has(name) && (!hasCookie || isBlocked)) return 'UNAUTHORIZED';
  if (isForKeepers(access)) {
    const hasRole = (role === 'owner' || role === access) && !kind.isDismissed && !isBlocked;
    if (!hasRole || !hasToken || signedIn !== 'open') return 'NOT_FOUND';
  }
  if (kind.isForeign && method !== 'GET') return 'FORBIDDEN';
  if (name === 'closeCurrentSession') return undefined;
  // Calls with the access `cookie` know the cookie and no token, all others the token and no cookie.
  const isKnown = access === 'cookie' ? hasCookie : hasToken;
  if (!isKnown) return access === 'public' ? undefined : 'UNAUTHORIZED';
  if (access !== 'cookie' && (signedIn === 'closed' || signedIn === 'run out')) return 'UNAUTHORIZED';
  if (isBlocked) return 'ACCOUNT_BLOCKED';
  const suffices = scope !== undefined && (kind.scope === 'write' || kind.scope === scope);
  if (kind.scope && !suffices) return 'FORBIDDEN';
  if (name === 'openReplies' && role) return undefined;
  return kind.isAboutOthers ? toOthers[name] : toOneself[name];
}

/** The result of an allowed call: its status, the error of a wrong code, or NOT_FOUND for an owner's link, because the wall has an owner. */
const answerTo = (row: CallRow): number | ErrorCode => {
  if (row.codes?.includes('INVALID_CONFIRM_CODE')) return 'INVALID_CONFIRM_CODE';
  return row.path.startsWith('/owner-links') ? 'NOT_FOUND' : statusOf(row);
};

/** The liked posts are those of the caller, so this form of the call needs a signed-in person. */
const liked: CallRow = {
  ...callTable.find(({ name }) => name === 'listPosts')!,
  access: 'user',
  example: { query: { filter: 'liked' } },
};
const rows = [...callTable, liked];

async function openMatrixWall(engine: Engine, isClosed: boolean): Promise<Wall> {
  const wall = await openWall(engine, { ...settings, CODE_RESEND_SECONDS: '0' });
  wall.clock.now = now();
  await newUser(wall.db, values.galina.username, wall.clock.now, values.email);
  const owner = await registerModerator(wall, 'owner');
  const terms = { invite_days: 0, invite_posts: 0, invite_links: 100 };
  await owner.send('PUT', '/keep/settings', { registration: 'members', invite_terms: terms });
  if (isClosed) await close(owner);
  return wall;
}

/** The sender of mail changes the outbox at any time, SQLite cannot list the words, and only PostgreSQL has write notices. */
const notCompared = { sqlite: ['outbox', 'post_words', 'announcements'], postgres: ['outbox'] };

async function stored({ db }: Wall): Promise<Record<string, string[]>> {
  const tables = (Object.keys(storedTables) as Array<keyof typeof storedTables>).filter(
    (name) => !notCompared[db.engine].includes(name),
  );
  const all = await Promise.all(tables.map((name) => db.read.selectFrom(name).selectAll().execute()));
  return Object.fromEntries(tables.map((name, i) => [name, all[i]!.map((row) => JSON.stringify(row)).toSorted()]));
}

test('a call that is new is for signed-in people, in their browsers and with their own things, unless it is named here', () => {
  for (const { name, method, path, access, scope, codes = [] } of callTable) {
    const isOpen = waysIn.has(name) || forVisitors.has(name);
    assert.equal(access === 'public' || access === 'cookie', isOpen, name);
    assert.equal(scope, forReading.has(name) ? 'read' : forWriting.has(name) ? 'write' : undefined, name);
    assert.equal(isForKeepers(access), /^\/(moderation|keep)\b/.test(path), name);
    if (method === 'GET' || isForKeepers(access) || !path.includes('{id}')) continue;
    assert.notEqual(name in toOthers, forAnybody.has(name), name);
    assert.ok(!(name in toOthers) || [...commonCodes, ...codes].includes(toOthers[name]!), name);
  }
});

const { paths } = openApi({ appName: '', contact: '', publicUrl: '', sessionCookie: '', limits: {} });

const isDescribed = ({ method, path }: CallRow, code: ErrorCode): boolean =>
  Object.values(paths[`${apiPrefix}${path}`]![method.toLowerCase()]!.responses).some(({ description }) =>
    description.split(', ').includes(code),
  );

for (const engine of engines) {
  for (const isClosed of [false, true]) {
    describe(`on ${isClosed ? 'a closed' : 'an open'} wall on ${engine}`, () => {
      let wall: Wall;
      let inputOf: ReturnType<typeof inputsOf>;
      before(async () => {
        wall = await openMatrixWall(engine, isClosed);
        inputOf = inputsOf(wall);
      });
      after(() => wall.close());

      const send = ({ method }: CallRow, { headers }: Caller, input: Input) =>
        wall.app.inject({ method, headers, ...input });

      async function prepare(row: CallRow, kind: CallerKind, caller: Caller): Promise<Input> {
        const isOthers = kind.isAboutOthers ?? actsOnOthers.has(row.path.split('/', 3).join('/'));
        return inputOf(row, isOthers ? await somebody(wall) : caller, isOthers);
      }

      async function faultsOfRefusal(row: CallRow, code: ErrorCode, caller: Caller, input: Input): Promise<string[]> {
        const response = await send(row, caller, input);
        const { message, ...rest } = response.json();
        const isRight = response.statusCode === errors[code].status && isDeepStrictEqual(rest, { code });
        // For callers without the role, and on a closed wall, a keepers' call looks like an unknown path.
        const isHidden = isForKeepers(row.access) && ['NOT_FOUND', 'UNAUTHORIZED'].includes(code);
        const unknown = isHidden ? await send(row, caller, { url: `${apiPrefix}/nothing` }) : response;
        const faults: string[] = [];
        if (!isRight || !/^[А-ЯЁ].*[а-яё]/.test(message) || response.body !== unknown.body) {
          faults.push(`${row.name} must be refused with ${code}: ${response.statusCode} ${response.body}`);
        }
        if (!isDescribed(row, code)) faults.push(`${row.name}: ${code} is not described`);
        return faults;
      }

      async function faultsOfAnswer(row: CallRow, caller: Caller, input: Input): Promise<string[]> {
        const { statusCode: status, body } = await send(row, caller, input);
        const answer = status < 400 ? status : (JSON.parse(body) as ErrorBody).code;
        return answer === answerTo(row) ? [] : [`${row.name} must respond ${answerTo(row)}: ${status} ${body}`];
      }

      for (const [who, kind] of Object.entries(kinds)) {
        test(`${who}: is refused what is not allowed, and nothing else`, async () => {
          const caller = await newCaller(wall, kind);
          const refused: Array<Parameters<typeof faultsOfRefusal>> = [];
          for (const row of rows) {
            const code = refusalOf(row, kind, isClosed);
            if (code) refused.push([row, code, caller, await prepare(row, kind, caller)]);
          }
          // Runs the jobs that the previous test has scheduled, so that they change nothing below.
          await runJobs(wall.db, wall.clock.now);
          const storedBefore = await stored(wall);
          const faults = await Promise.all(refused.map((cell) => faultsOfRefusal(...cell)));
          assert.deepEqual(faults.flat(), []);
          assert.deepEqual(await stored(wall), storedBefore);
          for (const row of rows) {
            if (refusalOf(row, kind, isClosed)) continue;
            const by = endTheCaller.has(row.name) ? await newCaller(wall, kind) : caller;
            faults.push(await faultsOfAnswer(row, by, await prepare(row, kind, by)));
          }
          assert.deepEqual(faults.flat(), []);
        });
      }
    });
  }

  test(`the headers of a request tell pages of other origins from programs on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const browser = await register(wall);
    const host = { host: 'wall.local:3000' };
    const foreign = [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site', origin: 'http://wall.local:4000' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': '', origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      const { statusCode } = await browser.send('DELETE', '/sessions/current', undefined, { ...host, ...headers });
      assert.equal(statusCode, 403, JSON.stringify(headers));
    }
    assert.equal((await browser.send('GET', '/users/current')).statusCode, 200);
    // A browser on plain HTTP at a private IP address sends no Sec-Fetch-Site.
    const plain = await wall.app.inject({
      method: 'PATCH',
      url: '/api/v1/sessions/current',
      headers: { ...host, origin: 'http://wall.local:3000' },
      cookies: Object.fromEntries(browser.cookies),
      payload: { clientToken: 'x' },
    });
    assert.equal(plain.statusCode, 200);
    // A program sends neither header.
    const program = (method: 'PATCH' | 'DELETE', url: string) =>
      wall.app.inject({
        method,
        url: `/api/v1${url}`,
        cookies: Object.fromEntries(browser.cookies),
        headers: { authorization: `Bearer ${browser.token}` },
        ...(method === 'PATCH' && { payload: { clientToken: 'x' } }),
      });
    assert.equal((await program('PATCH', '/sessions/current')).statusCode, 200);
    assert.equal((await program('DELETE', '/sessions')).statusCode, 204);
    assert.equal((await program('DELETE', '/sessions/current')).statusCode, 204);
    assert.equal((await browser.send('GET', '/users/current')).statusCode, 401);
  });

  test(`what ends or changes the own session, name or account is that of the caller alone on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const owner = await register(wall);
    await signInElsewhere(wall, owner);
    const stranger = await register(wall);
    const read = () =>
      Promise.all(['/users/current', '/sessions'].map(async (path) => (await owner.send('GET', path)).body));
    const atFirst = await read();
    const profile = { username: `stranger_${stranger.id}`, display_name: 'Чужой', face: '🦊', about: 'Чужое' };
    assert.equal((await stranger.send('PATCH', '/users/current/profile', profile)).statusCode, 200);
    for (const path of ['/sessions', '/sessions/current']) await stranger.send('DELETE', path);
    assert.deepEqual(await read(), atFirst);
  });
}
