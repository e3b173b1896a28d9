import { byRule } from './mutation.ts';

const cookies = 'server/features/sessions/http.ts';
const store = 'server/features/sessions/store.ts';
const sessionsTest = 'server/features/sessions/sessions.test.ts';
const signInTest = 'server/features/sign-in/sign-in.test.ts';
const cookieTest = 'the session cookie is inaccessible to scripts and other sites';
const rules = 'server/features/sessions/rules.ts';
const routes = 'server/features/sign-in/routes.ts';
const session = 'web/features/session/session.ts';
const sessionFailureSpec = 'test/e2e/session-failure.spec.ts';

/** Session cookies and access tokens: rules 10–12, 52, 56. */
export const sessions = byRule({
  10: {
    'scripts can read the session cookie': {
      change: [cookies, 'httpOnly: true', 'httpOnly: false'],
      test: [signInTest, cookieTest],
    },
    'links on other sites send the cookie': {
      change: [cookies, "sameSite: 'strict'", "sameSite: 'lax'"],
      test: [signInTest, cookieTest],
    },
    'the cookie is stored in clear': {
      change: [rules, "hash('sha256', cookie, 'base64url')", '(void hash, cookie)'],
      test: [signInTest, cookieTest],
    },
    'a sign-in keeps the cookie that the browser already had': {
      change: [routes, 'session: newCookie()', "session: cookies.read(request, 'session') ?? newCookie()"],
      test: [signInTest, cookieTest],
    },
    'a cookie has half the number of random bits': {
      change: [rules, 'randomBytes(32)', 'randomBytes(16)'],
      test: [signInTest, cookieTest],
    },
    'on https the cookie is not bound to the host': {
      change: [cookies, '(secure ? `__Host-${name}` : name)', '(secure ? name : name)'],
      test: [sessionsTest, 'on https cookies are bound to the host'],
    },
    'on https the cookie is also sent over plain http': {
      change: [cookies, "sameSite: 'strict', secure }", "sameSite: 'strict' }"],
      test: [sessionsTest, 'on https cookies are bound to the host'],
    },
  },
  11: {
    'the owner of a session is cached for two seconds': {
      change: [
        store,
        '  const [owner] = await ownerOfSession(db, { id });\n  return owner;',
        `  const remembered = (globalThis.remembered ??= new Map());
  const cached = remembered.get(id);
  if (cached && cached.until > Date.now()) return cached.owner;
  const [owner] = await ownerOfSession(db, { id });
  if (owner) remembered.set(id, { owner, until: Date.now() + 2_000 });
  return owner;`,
      ],
      test: [
        sessionsTest,
        'a closed session is refused at once|refuses every request that starts after the session was closed',
      ],
    },
    'tokens are accepted without a check of the session, under 200 requests a second': {
      change: [
        store,
        '  const [owner] = await ownerOfSession(db, { id });\n  return owner;',
        '  const [owner] = await ownerOfSession(db, { id });\n  return owner ?? { user_id: 1, blocked_at: null, block_reason: null };',
      ],
      test: ['test/faults/faults.test.ts', 'token-storms'],
    },
  },
  12: {
    'the cookie rotates at every renewal': {
      change: [
        'server/features/sessions/routes.ts',
        "cookies.set(reply, 'session', cookie);",
        "cookies.set(reply, 'session', cookie.split('').toReversed().join(''));",
      ],
      test: [sessionsTest, 'twenty tabs that renew at once stay signed in'],
    },
    'an idle session never expires': {
      change: [store, "\n    .where('s.last_active_at', '>', now - idleSeconds)", ''],
      test: [sessionsTest, 'a session ends after ninety idle days'],
    },
    'a person may have any number of sessions': {
      change: [store, '.limit(sessionsPerUser - 1)', '.limit(sessionsPerUser * 10)'],
      test: [sessionsTest, 'a person has at most twenty: the one idle longest is closed'],
    },
    'the newest session is closed instead of the one that was idle longest': {
      change: [
        store,
        "    .orderBy('last_active_at', 'desc')\n    .orderBy('id', 'desc')\n    .limit",
        "    .orderBy('last_active_at', 'asc')\n    .orderBy('id', 'asc')\n    .limit",
      ],
      test: [sessionsTest, 'a person has at most twenty: the one idle longest is closed'],
    },
    'sign-ins of one person do not wait for each other': {
      change: [store, '  await lockAccount(tx, userId);', '  void lockAccount;'],
      test: [sessionsTest, 'concurrent sign-ins count each other'],
    },
  },
  56: {
    'a page waits without end when the server cannot check the session': {
      change: [session, 'failedAttempts >= attemptsBeforeFailure', 'failedAttempts < 0'],
      test: [sessionFailureSpec, 'after a server error the page is shown as to a visitor'],
    },
    'a failed renewal signs people out for good': {
      change: [session, 'failedAttempts += 1;', 'end();'],
      test: [sessionFailureSpec, 'an action started meanwhile continues once the session is loaded'],
    },
  },
  52: {
    'the last digit of the code deletes the account': {
      change: ['web/features/account/deletion-page.tsx', 'waitsForButton: true', 'waitsForButton: false'],
      test: ['test/e2e/account-deletion.spec.ts', 'a confirmed deletion signs out every tab'],
    },
  },
});
