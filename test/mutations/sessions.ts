import type { Mutation } from './mutation.ts';

const cookies = 'server/features/sessions/http.ts';
const store = 'server/features/sessions/store.ts';
const sessionsTest = 'server/features/sessions/sessions.test.ts';
const signInTest = 'server/features/sign-in/sign-in.test.ts';
const cookieTest = 'the session cookie is inaccessible to scripts and other sites';

/** Session cookies and access tokens: rules 10–12, 52, 56. */
export const sessions: readonly Mutation[] = [
  {
    rule: 10,
    how: 'scripts can read the session cookie',
    file: cookies,
    from: 'httpOnly: true',
    to: 'httpOnly: false',
    test: signInTest,
    name: cookieTest,
  },
  {
    rule: 10,
    how: 'links on other sites send the cookie',
    file: cookies,
    from: "sameSite: 'strict'",
    to: "sameSite: 'lax'",
    test: signInTest,
    name: cookieTest,
  },
  {
    rule: 10,
    how: 'the cookie is stored in clear',
    file: 'server/features/sessions/rules.ts',
    from: "hash('sha256', cookie, 'base64url')",
    to: '(void hash, cookie)',
    test: signInTest,
    name: cookieTest,
  },
  {
    rule: 10,
    how: 'a sign-in keeps the cookie that the browser already had',
    file: 'server/features/sign-in/routes.ts',
    from: 'session: newCookie()',
    to: "session: cookies.read(request, 'session') ?? newCookie()",
    test: signInTest,
    name: cookieTest,
  },
  {
    rule: 10,
    how: 'a cookie has half the number of random bits',
    file: 'server/features/sessions/rules.ts',
    from: 'randomBytes(32)',
    to: 'randomBytes(16)',
    test: signInTest,
    name: cookieTest,
  },
  {
    rule: 10,
    how: 'on https the cookie is not bound to the host',
    file: cookies,
    from: '(secure ? `__Host-${name}` : name)',
    to: '(secure ? name : name)',
    test: sessionsTest,
    name: 'on https cookies are bound to the host',
  },
  {
    rule: 10,
    how: 'on https the cookie is also sent over plain http',
    file: cookies,
    from: "sameSite: 'strict', secure }",
    to: "sameSite: 'strict' }",
    test: sessionsTest,
    name: 'on https cookies are bound to the host',
  },
  {
    rule: 11,
    how: 'the owner of a session is cached for two seconds',
    file: store,
    from: '  const [owner] = await ownerOfSession(db, { id });\n  return owner;',
    to: `  const remembered = (globalThis.remembered ??= new Map());
  const cached = remembered.get(id);
  if (cached && cached.until > Date.now()) return cached.owner;
  const [owner] = await ownerOfSession(db, { id });
  if (owner) remembered.set(id, { owner, until: Date.now() + 2_000 });
  return owner;`,
    test: sessionsTest,
    name: 'a closed session is refused at once|refuses every request that starts after the session was closed',
  },
  {
    rule: 11,
    how: 'tokens are accepted without a check of the session, under 200 requests a second',
    file: store,
    from: '  const [owner] = await ownerOfSession(db, { id });\n  return owner;',
    to: '  const [owner] = await ownerOfSession(db, { id });\n  return owner ?? { user_id: 1, blocked_at: null, block_reason: null };',
    test: 'test/faults/faults.test.ts',
    name: 'token-storms',
  },
  {
    rule: 12,
    how: 'the cookie rotates at every renewal',
    file: 'server/features/sessions/routes.ts',
    from: "cookies.set(reply, 'session', cookie);",
    to: "cookies.set(reply, 'session', cookie.split('').toReversed().join(''));",
    test: sessionsTest,
    name: 'twenty tabs that renew at once stay signed in',
  },
  {
    rule: 12,
    how: 'an idle session never expires',
    file: store,
    from: "\n    .where('s.last_active_at', '>', now - idleSeconds)",
    to: '',
    test: sessionsTest,
    name: 'a session ends after ninety idle days',
  },
  {
    rule: 12,
    how: 'a person may have any number of sessions',
    file: store,
    from: '.limit(sessionsPerUser - 1)',
    to: '.limit(sessionsPerUser * 10)',
    test: sessionsTest,
    name: 'a person has at most twenty: the one idle longest is closed',
  },
  {
    rule: 12,
    how: 'the newest session is closed instead of the one that was idle longest',
    file: store,
    from: "    .orderBy('last_active_at', 'desc')\n    .orderBy('id', 'desc')\n    .limit",
    to: "    .orderBy('last_active_at', 'asc')\n    .orderBy('id', 'asc')\n    .limit",
    test: sessionsTest,
    name: 'a person has at most twenty: the one idle longest is closed',
  },
  {
    rule: 12,
    how: 'sign-ins of one person do not wait for each other',
    file: store,
    from: '  await takeUser(db, userId);',
    to: '  void takeUser;',
    test: sessionsTest,
    name: 'concurrent sign-ins count each other',
  },
  {
    rule: 56,
    how: 'a page waits without end when the server cannot check the session',
    file: 'web/features/session/session.ts',
    from: 'failedAttempts >= attemptsBeforeFailure',
    to: 'failedAttempts < 0',
    test: 'test/e2e/session-failure.spec.ts',
    name: 'after a server error the page is shown as to a visitor',
  },
  {
    rule: 56,
    how: 'a failed renewal signs people out for good',
    file: 'web/features/session/session.ts',
    from: 'failedAttempts += 1;',
    to: 'end();',
    test: 'test/e2e/session-failure.spec.ts',
    name: 'an action started meanwhile continues once the session is loaded',
  },
  {
    rule: 52,
    how: 'the last digit of the code deletes the account',
    file: 'web/features/account/deletion-page.tsx',
    from: 'waitsForButton: true',
    to: 'waitsForButton: false',
    test: 'test/e2e/account-deletion.spec.ts',
    name: 'a confirmed deletion signs out every tab',
  },
];
