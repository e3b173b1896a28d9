import { newToken, tokenHash } from '../../server/features/api-tokens/token-rules.ts';
import { addToken } from '../../server/features/api-tokens/token-store.ts';
import { confirmModerator } from '../../server/features/moderation/roles.ts';
import { blockUser } from '../../server/features/moderation/moderation-store.ts';
import { issueToken } from '../../server/features/sessions/session-rules.ts';
import { closeAllSessionsOf } from '../../server/features/sessions/session-store.ts';
import { makeSecrets } from '../../server/secrets.ts';
import { appoint } from './desk.ts';
import { SECRET } from './server-process.ts';
import { signedIn as openSession } from './signed-in.ts';
import type { Wall } from './wall.ts';
import type { CallRow } from '#contract/calls.ts';
import { apiPrefix } from '#contract/endpoint.ts';
import * as values from '#contract/example-values.ts';
import { addInvites, newInviteCode } from '../../server/features/moderation/invites.ts';
import { deleteOwnPost } from '../../server/features/posts/own-deletion.ts';
import { setShared } from '../../server/features/lists/shared-posts.ts';
import { lockPost } from '../../server/features/posts/post-writes.ts';
import { newOperationId, type Purpose } from '../../server/features/sign-in/sign-in-rules.ts';
import { startOperation } from '../../server/features/sign-in/sign-in-store.ts';
import { removePost } from './moderation.ts';
import { seedOf } from './seed.ts';
import { device } from './sign-in.ts';

/** A kind of caller. A caller who tests one reason for a refusal is an owner of the wall, so that no other reason applies. */
export interface CallerKind {
  role?: 'moderator' | 'owner';
  /** The state of the caller's session; a visitor has none. */
  signedIn?: 'open' | 'closed' | 'run out';
  /** The browser has the cookie of the session and has not asked for a token. */
  hasOnlyCookie?: true;
  /** The scope of an API token, with which the caller sends requests without a session. */
  scope?: 'read' | 'write' | 'feed';
  isBlocked?: true;
  /** The role was taken away after the last call. */
  isDismissed?: true;
  /** A page of another site sends the request. */
  isForeign?: true;
  /** The subject of the call belongs to somebody else. */
  isAboutOthers?: true;
}

const owner = { role: 'owner', signedIn: 'open' } as const;

export const kinds: Readonly<Record<string, CallerKind>> = {
  visitor: {},
  member: { signedIn: 'open' },
  'member with a thing of somebody else': { signedIn: 'open', isAboutOthers: true },
  'blocked owner': { ...owner, isBlocked: true },
  'dismissed owner': { ...owner, isDismissed: true },
  'token of an owner for reading': { role: 'owner', scope: 'read' },
  'token of an owner for writing': { role: 'owner', scope: 'write' },
  'token of an owner for feeds': { role: 'owner', scope: 'feed' },
  'token of a blocked owner': { role: 'owner', scope: 'write', isBlocked: true },
  'cookie of a member': { signedIn: 'open', hasOnlyCookie: true },
  'cookie of a blocked owner': { ...owner, hasOnlyCookie: true, isBlocked: true },
  'cookie of a closed session': { role: 'owner', signedIn: 'closed', hasOnlyCookie: true },
  'owner whose session is closed': { role: 'owner', signedIn: 'closed' },
  'owner whose access token has run out': { role: 'owner', signedIn: 'run out' },
  'page of another site before an owner': { ...owner, isForeign: true },
  'page of another site with the token of an owner': { role: 'owner', scope: 'write', isForeign: true },
  'moderator with a thing of somebody else': { role: 'moderator', signedIn: 'open', isAboutOthers: true },
  owner,
};

export interface Person {
  id: number;
  username: string;
}

export interface Caller extends Person {
  headers: Record<string, string>;
}

let people = 0;

export async function somebody(wall: Pick<Wall, 'person'>): Promise<Person> {
  const username = `person_${(people += 1)}`;
  return { id: await wall.person(username), username };
}

const ownPage = { 'sec-fetch-site': 'same-origin' };

/** Makes a new caller of the kind. The server has seen the session or the token before it ended. */
export async function newCaller(wall: Wall, kind: CallerKind): Promise<Caller> {
  const { db, clock } = wall;
  const { role, signedIn, scope, isBlocked, isDismissed, isForeign } = kind;
  const person = await somebody(wall);
  const { id } = person;
  if (role) await appoint(wall, { id: String(id) }, role);
  const credentials = scope ? await tokenOf(wall, id, scope) : signedIn && (await sessionOf(wall, id, kind));
  if (scope || isBlocked || isDismissed || signedIn === 'closed') {
    for (const path of ['/api/v1/posts', '/api/v1/keep', '/search']) await wall.get(path, credentials);
  }
  await db.tx(async (tx) => {
    if (isBlocked) await blockUser(tx, id, 'Реклама', clock.now);
    if (isDismissed) await tx.db.updateTable('users').set({ role: null }).where('id', '=', id).execute();
    if (signedIn === 'closed') await closeAllSessionsOf(tx, id);
  });
  const page = isForeign ? { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } : ownPage;
  return { ...person, headers: { ...(scope && !isForeign ? undefined : page), ...credentials } };
}

async function tokenOf({ db, clock }: Wall, userId: number, scope: 'read' | 'write' | 'feed') {
  const token = newToken();
  await db.tx((tx) => addToken(tx, { userId, hash: tokenHash(token)!, name: 'бот', scope, now: clock.now }));
  return { authorization: `Bearer ${token}` };
}

async function sessionOf({ db, clock }: Wall, id: number, kind: CallerKind): Promise<Record<string, string>> {
  const { cookie, token, sessionId } = await openSession(db, id);
  if (kind.role) await db.tx((tx) => confirmModerator(tx, sessionId, clock.now));
  if (kind.hasOnlyCookie) return { cookie: `session=${cookie}` };
  const runOut = kind.signedIn === 'run out' && issueToken(makeSecrets(SECRET), sessionId, clock.now).token;
  return { cookie: `session=${cookie}`, authorization: `Bearer ${runOut || token}` };
}

type PathValue = string | number;

export interface Input {
  url: string;
  payload?: object;
}

/** Returns a function that makes the input of a call: that of its example, with ids and names that exist and belong to the person `of`. */
export function inputsOf(wall: Wall): (row: CallRow, of: Person, isOthers: boolean) => Promise<Input> {
  const { db, clock } = wall;
  const seed = seedOf(db);
  let names = 0;
  const newName = (): string => `name_${(names += 1)}`;
  const by = async (text: string) => [{ by: (await somebody(wall)).id, text }];

  const post = async ({ id }: Person): Promise<number> => (await seed.posts([{ by: id, text: 'Каток' }]))[0]!;

  const postAfter = (act: (id: number) => Promise<unknown>) => async (of: Person) => {
    const id = await post(of);
    await act(id);
    return id;
  };

  const personAfter = (act: (person: Person) => Promise<unknown>) => async (of: Person) => {
    await act(of);
    return of.username;
  };

  /** Starts an operation with the client token of the examples. A sign-in belongs to no person, so with `isOthers` another client has started it. */
  const operation = (purpose: Purpose) => async (of: Person, isOthers: boolean) => {
    const isSignIn = purpose === 'login' || purpose === 'registration';
    const id = newOperationId();
    const started = { id, purpose, email: `${newName()}@example.org`, userId: isSignIn ? null : of.id };
    const client = {
      clientToken: isSignIn && isOthers ? 'another' : values.clientToken,
      device: JSON.stringify(device),
    };
    const terms = { codeHash: 'A'.repeat(43), invite: null, consent: null, now: clock.now, expiresAt: clock.now + 600 };
    const mail = { operation_id: id, recipient: started.email, sealed: '', next_try_at: null, give_up_at: 0 };
    await db.tx(async (tx) => {
      await startOperation(tx, { ...started, ...client, ...terms });
      await tx.db
        .insertInto('outbox')
        .values({ ...mail, state: 'accepted' })
        .execute();
    });
    return id;
  };

  const invitation = (byMember: 0 | 1) => (of: Person) =>
    db.tx(async (tx) => {
      const [id] = await addInvites(tx, [newInviteCode()], '', clock.now, { seats: 1, made_by: of.id });
      await tx.db.updateTable('invites').set({ by_member: byMember }).where('id', '=', id!).execute();
      return id!;
    });

  const invite = async (): Promise<string> => seed.invitation(await somebody(wall));

  const lastOf = async (table: 'pending_posts' | 'operator_log'): Promise<number> =>
    (await db.read.selectFrom(table).select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id;

  /** Makes the value for the path of calls whose path names neither a plain post nor a person by name. */
  const pathValues: Readonly<Record<string, (of: Person, isOthers: boolean) => Promise<PathValue> | PathValue>> = {
    restorePost: postAfter((id) => db.tx(async (tx) => deleteOwnPost(tx, (await lockPost(tx, id))!, clock.now))),
    getSharedPost: postAfter((id) => db.tx((tx) => setShared(tx, id, true))),
    readNotifications: async (of) => (await seed.replies(await post(of), await by('Да')))[0]!,
    mute: ({ id }) => id,
    unmute: ({ id }) => id,
    followAuthor: ({ id }) => id,
    unfollowAuthor: ({ id }) => id,
    closeSession: async ({ id }) => (await seed.session(id)).sessionId,
    endApiToken: ({ id: userId }) =>
      db.tx((tx) => addToken(tx, { userId, hash: tokenHash(newToken())!, name: 'бот', scope: 'read', now: clock.now })),
    endInvitation: invitation(1),
    verifyLogin: operation('login'),
    verifyRegistration: operation('registration'),
    getMailState: operation('login'),
    verifyEmailChange: operation('email-change'),
    verifyDeletion: operation('deletion'),
    verifyApiToken: operation('program-token'),
    checkUsername: newName,
    getClaim: async () => (await seed.imported(newName())).code,
    claimAccount: async () => (await seed.imported(newName())).code,
    getInvitation: invite,
    approvePost: async ({ id }) => {
      await seed.hold(id, 'Привет');
      return lastOf('pending_posts');
    },
    returnPost: postAfter((id) => removePost(wall, String(id))),
    dismissReports: postAfter(async (id) => seed.report(id, (await somebody(wall)).id)),
    verifyModeration: operation('moderation'),
    undoAct: async (of) => {
      await seed.act('pin', await post(of));
      return lastOf('operator_log');
    },
    endInvite: invitation(0),
    unblockPerson: personAfter(({ id }) => db.tx((tx) => blockUser(tx, id, 'Реклама', clock.now))),
    dismissPerson: personAfter(({ id }) => appoint(wall, { id: String(id) })),
  };

  /** Values that replace those of the examples: free names, a valid invitation, and settings that do not change who may read. */
  const bodies: Readonly<Record<string, () => Promise<object> | object>> = {
    startRegistration: async () => ({ invite: await invite() }),
    changeProfile: () => ({ username: newName() }),
    putKeepSettings: () => ({ readers: undefined, registration: undefined, invite_terms: undefined, gate_posts: 0 }),
  };

  const postOfExample = new RegExp(`"(${values.ownPostId}|${values.otherPostId}|${values.replyId})"`, 'g');

  return async ({ name, path, example }, of, isOthers) => {
    const { params = {}, query, body } = example as { params?: Record<string, string>; query?: object; body?: object };
    const isAboutPost = postOfExample.test(JSON.stringify([params, query, body]));
    postOfExample.lastIndex = 0;
    const make = pathValues[name] ?? ('username' in params ? () => of.username : isAboutPost ? post : undefined);
    const thing = make && String(await make(of, isOthers));
    const fill = <Part>(part: Part): Part =>
      JSON.parse(JSON.stringify(part).replaceAll(postOfExample, JSON.stringify(thing))) as Part;
    const search = new URLSearchParams(fill({ ...query })).toString();
    const payload = body && { ...fill(body), ...(await bodies[name]?.()) };
    const filled = path.replace(/\{(\w+)\}/, (_, parameter: string) => thing ?? params[parameter]!);
    return { url: `${apiPrefix}${filled}${search && `?${search}`}`, ...(payload && { payload }) };
  };
}
