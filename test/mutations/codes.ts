import type { Mutations } from './mutation.ts';

/** Rules about codes and signing in. */
export const codes: Mutations = {
  1: {
    'the code is stored in clear': {
      change: [
        'server/features/sign-in/send-code.ts',
        'codeHash: secrets.codeMac([id, purpose, email, code]),',
        'codeHash: code,',
      ],
      test: ['server/features/sign-in/sign-in.test.ts', 'neither the database nor a response contains a code in clear'],
    },
    'a code never expires': {
      change: ['server/features/sign-in/judge-code.ts', ' || operation.expires_at <= at) return', ') return'],
      test: ['server/features/sign-in/sign-in.test.ts', 'accepts a code for ten minutes'],
    },
  },
  2: {
    'tries are counted but never run out': {
      change: ['server/features/sign-in/store.ts', ".where('attempts', '<', triesPerOperation)", ''],
      test: ['server/features/sign-in/sign-in.test.ts', 'compares exactly five of many concurrent wrong codes'],
    },
  },
  3: {
    'a correct code does not end its operation': {
      change: ['server/features/sign-in/judge-code.ts', 'await endOperation(tx, id);', 'void endOperation;'],
      test: ['server/features/sign-in/sign-in.test.ts', 'opens exactly one session for many concurrent right codes'],
    },
  },
  4: {
    'a code is valid for any purpose': {
      change: [
        'server/features/sign-in/judge-code.ts',
        'operation?.purpose === purpose && ',
        'operation !== undefined && ',
      ],
      test: ['server/features/sign-in/sign-in.test.ts', 'a code works for its own operation, purpose and client only'],
    },
  },
  5: {
    'wrong codes for an address are counted per operation': {
      change: ['server/features/sign-in/judge-code.ts', 'wrongCodes.spend();', 'void wrongCodes;'],
      test: ['server/features/sign-in/limits.test.ts', '10 wrong codes an hour and 20 a day'],
    },
  },
  6: {
    'there is no hourly budget for mails': {
      change: ['server/features/sign-in/budgets.ts', '{ count: 5, seconds: hour }', '{ count: 6, seconds: hour }'],
      test: ['server/features/sign-in/limits.test.ts', 'one mail in 60 s, 5 an hour, 10 a day'],
    },
  },
  7: {
    'a network has no budgets, neither for starts nor for the addresses that they reveal': {
      change: [
        'server/features/sign-in/budgets.ts',
        '(rateLimits ? limits : never)',
        '(rateLimits === undefined ? limits : never)',
      ],
      test: [
        'server/features/account/email-change.test.ts',
        'reveals at most sixty taken addresses an hour to one network',
      ],
    },
  },
  8: {
    'an address may contain a comma': {
      change: ['contract/email.ts', '`a-z{|}~]{1,64}$/', '`a-z{|}~,@]{1,64}$/'],
      test: [
        'server/features/sign-in/hostile-addresses.test.ts',
        'hostile addresses are refused or reach exactly the mailbox they name',
      ],
    },
  },
  9: {
    'a mail that was not accepted is not retried': {
      change: ['server/mail/sender.ts', "outcome === 'delayed' ? next : null", 'null'],
      test: ['server/mail/mail.test.ts', 'an unreachable mail server delays the mail'],
    },
  },
  10: {
    'scripts can read the session cookie': {
      change: ['server/features/sessions/cookies.ts', 'httpOnly: true', 'httpOnly: false'],
      test: [
        'server/features/sign-in/sign-in.test.ts',
        'the session cookie is inaccessible to scripts and other sites',
      ],
    },
    'the cookie is stored in clear': {
      change: ['server/features/sessions/rules.ts', "hash('sha256', cookie, 'base64url')", '(void hash, cookie)'],
      test: [
        'server/features/sign-in/sign-in.test.ts',
        'the session cookie is inaccessible to scripts and other sites',
      ],
    },
  },
  11: {
    'the owner of a session is cached': {
      change: [
        'server/features/sessions/store.ts',
        'return owner;',
        'const seen = (globalThis.seen ??= {}); return (seen[id] ??= owner);',
      ],
      test: [
        'server/features/sessions/sessions.test.ts',
        'refuses every request that starts after the session was closed',
      ],
    },
  },
  12: {
    'the cookie rotates at every renewal': {
      change: [
        'server/features/sessions/routes.ts',
        "cookies.set(reply, 'session', cookie);",
        "cookies.set(reply, 'session', cookie.split('').toReversed().join(''));",
      ],
      test: ['server/features/sessions/sessions.test.ts', 'twenty tabs that renew at once stay signed in'],
    },
  },
  13: {
    'requests of other origins are accepted with the cookie': {
      change: [
        'server/features/sessions/http.ts',
        'if (changes && isForeign(request, publicHost',
        'if (!changes && isForeign(request, publicHost',
      ],
      test: ['server/features/sessions/foreign-origins.test.ts', 'pages of other origins cannot change anything'],
    },
  },
  14: {
    'the old address is not notified of the new one': {
      change: [
        'server/features/account/email-routes.ts',
        'await queueNotice(tx, { recipient: before',
        'void ({ recipient: before',
      ],
      test: [
        'server/features/account/email-change.test.ts',
        'is confirmed by a code sent to the new address and reported to the old one',
      ],
    },
  },
  15: {
    'anybody can edit and delete any post': {
      change: [
        'server/features/posts/writing-routes.ts',
        "if (post.user_id !== userId) throw new ApiError('FORBIDDEN');",
        'void userId;',
      ],
      test: [
        'server/features/sessions/ownership.test.ts',
        'nobody can change, delete or close what belongs to somebody else',
      ],
    },
  },
};
