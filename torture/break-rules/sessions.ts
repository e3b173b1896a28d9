import type { BrokenRule } from './broken-rule.ts';

const cookies = 'server/sessions/cookies.ts';
const store = 'server/sessions/store.ts';
const sessionsTest = 'server/sessions/sessions.test.ts';
const signInTest = 'server/auth/sign-in.test.ts';
const cookieTest = 'the session cookie is out of reach of scripts and other sites';

/** Cookies and tokens: rules 10–12, 52, 56. */
export const sessions: readonly BrokenRule[] = [
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
    how: 'other sites’ links bring the cookie along',
    file: cookies,
    from: "sameSite: 'strict'",
    to: "sameSite: 'lax'",
    test: signInTest,
    name: cookieTest,
  },
  {
    rule: 10,
    how: 'the cookie is stored as it is',
    file: 'server/sessions/rules.ts',
    from: "hash('sha256', cookie, 'base64url')",
    to: '(void hash, cookie)',
    test: signInTest,
    name: cookieTest,
  },
  {
    rule: 10,
    how: 'a cookie that was there before is kept at sign-in',
    file: 'server/auth/verify.ts',
    from: 'const session = newCookie();',
    to: "const session = cookies.read(request, 'session') ?? newCookie();",
    test: signInTest,
    name: cookieTest,
  },
  {
    rule: 10,
    how: 'a cookie has half its bits',
    file: 'server/sessions/rules.ts',
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
    how: 'on https the cookie goes over plain http too',
    file: cookies,
    from: "sameSite: 'strict', secure }",
    to: "sameSite: 'strict' }",
    test: sessionsTest,
    name: 'on https cookies are bound to the host',
  },
  {
    rule: 11,
    how: 'whose session it is is remembered for two seconds',
    file: store,
    from: '  const [owner] = await ownerOfSession(db, { id });\n  return owner;',
    to: `  const remembered = (globalThis.remembered ??= new Map());
  const held = remembered.get(id);
  if (held && held.until > Date.now()) return held.owner;
  const [owner] = await ownerOfSession(db, { id });
  if (owner) remembered.set(id, { owner, until: Date.now() + 2_000 });
  return owner;`,
    test: sessionsTest,
    name: 'a closed session is out at once|no request that starts after a closing',
  },
  {
    rule: 11,
    how: 'the token is believed without asking for its session, seen under 200 requests a second',
    file: store,
    from: '  const [owner] = await ownerOfSession(db, { id });\n  return owner;',
    to: '  const [owner] = await ownerOfSession(db, { id });\n  return owner ?? { user_id: 1, blocked_at: null, block_reason: null };',
    test: 'torture/trials.test.ts',
    name: 'token-storms',
  },
  {
    rule: 12,
    how: 'the cookie rotates at every renewal',
    file: 'server/sessions/routes.ts',
    from: "cookies.set(reply, 'session', cookie);",
    to: "cookies.set(reply, 'session', cookie.split('').toReversed().join(''));",
    test: sessionsTest,
    name: 'twenty tabs renew at once and nobody is signed out',
  },
  {
    rule: 12,
    how: 'an idle session never ends',
    file: store,
    from: "\n    .where('s.last_active_at', '>', now - idleSeconds)",
    to: '',
    test: sessionsTest,
    name: 'a session idle for ninety days is over',
  },
  {
    rule: 12,
    how: 'any number of sessions',
    file: store,
    from: '.limit(sessionsPerUser - 1)',
    to: '.limit(sessionsPerUser * 10)',
    test: sessionsTest,
    name: 'at most twenty',
  },
  {
    rule: 12,
    how: 'the newest session goes instead of the one longest idle',
    file: store,
    from: "    .orderBy('last_active_at', 'desc')\n    .orderBy('id', 'desc')\n    .limit",
    to: "    .orderBy('last_active_at', 'asc')\n    .orderBy('id', 'asc')\n    .limit",
    test: sessionsTest,
    name: 'at most twenty',
  },
  {
    rule: 12,
    how: 'sign-ins of one person do not wait for each other',
    file: store,
    from: '  await takeUser(db, userId);',
    to: '  void takeUser;',
    test: sessionsTest,
    name: 'of two sign-ins at one moment each counts the other',
  },
  {
    rule: 56,
    how: 'a page waits for ever for a server that cannot say who is here',
    file: 'web/auth/session.ts',
    from: 'failedAttempts >= attemptsBeforeFailure',
    to: 'failedAttempts < 0',
    test: 'e2e/session-failure.spec.ts',
    name: 'after a fault of the server the page is a visitor',
  },
  {
    rule: 56,
    how: 'a failed renewal signs people out for good',
    file: 'web/auth/session.ts',
    from: 'failedAttempts += 1;',
    to: 'end();',
    test: 'e2e/session-failure.spec.ts',
    name: 'what was wanted meanwhile is taken up when it is known who is here',
  },
  {
    rule: 52,
    how: 'the last digit of the code deletes the account',
    file: 'web/account/deletion-page.tsx',
    from: 'waitsForButton: true',
    to: 'waitsForButton: false',
    test: 'e2e/account-deletion.spec.ts',
    name: 'a confirmed deletion takes everything along',
  },
];
