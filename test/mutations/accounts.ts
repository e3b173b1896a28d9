import type { Mutations } from './mutation.ts';

/** Rules about accounts, wall texts and API tokens. */
export const accounts: Mutations = {
  38: {
    'an undo link works more than once': {
      change: ['server/features/account/email-changes.ts', 'change.used_at !== null', 'change.used_at === 0'],
      test: ['server/features/account/email-undo.test.ts', 'restores the address'],
    },
    'an undo leaves the sessions open': {
      change: [
        'server/features/account/email-changes.ts',
        'await closeAllSessionsOf(tx, userId);',
        'void closeAllSessionsOf;',
      ],
      test: ['server/features/account/email-undo.test.ts', 'restores the address'],
    },
  },
  39: {
    'a session that is used never expires': {
      change: ['server/features/sessions/store.ts', 'createdAfter: now - lifetimeSeconds', 'createdAfter: 0'],
      test: ['server/features/sessions/sessions.test.ts', 'a session ends a year after it was opened'],
    },
  },
  40: {
    'posts of a deleted account can be liked, replied to and reported until they are removed': {
      change: ['server/db/visibility.ts', ".where(isNotDeleted('users'))", ''],
      test: ['server/features/account/deletion.test.ts', 'keeps its texts from event streams'],
    },
    'a sign-in that waited for the deletion opens a session': {
      change: [
        'server/features/sign-in/routes.ts',
        '(await lockAccount(tx, userId)) !== email',
        "(await lockAccount(tx, userId)) === ''",
      ],
      test: ['server/features/account/deletion.test.ts', 'gives no session to a concurrent sign-in'],
    },
  },
  41: {
    'a new device can change the address like a known one': {
      change: [
        'server/features/sign-in/routes.ts',
        'owner !== undefined && !isKnown',
        'owner === undefined && isKnown',
      ],
      test: [
        'server/features/account/new-device.test.ts',
        'can change the address after a day, or with a code sent to the old one',
      ],
    },
  },
  52: {
    'the last digit of the code deletes the account': {
      change: ['web/features/account/deletion-page.tsx', 'waitsForButton: true', 'waitsForButton: false'],
      test: ['web/features/account/deletion-page.test.ts', 'a deletion names its consequences, waits for its button'],
    },
  },
  56: {
    'a failed renewal signs people out for good': {
      change: ['web/features/session/session.ts', 'failedAttempts += 1;', 'end();'],
      test: [
        'web/features/session/session-failure.test.ts',
        'an action started meanwhile continues once the session is loaded',
      ],
    },
  },
  99: {
    'raw HTML is rendered': {
      change: ['server/features/wall-texts/markdown.ts', 'markdownIt({ html: false })', 'markdownIt({ html: true })'],
      test: ['server/features/wall-texts/wall-texts.test.ts', 'contain no raw HTML, no script and no image'],
    },
  },
  100: {
    'the text on privacy forgets a table': {
      change: ['server/features/wall-texts/defaults/privacy.md', '(`known_devices`)', ''],
      test: ['server/features/wall-texts/privacy.test.ts', 'names every table that holds personal data'],
    },
  },
  101: {
    'a registration starts without the consent': {
      change: [
        'server/features/sign-in/routes.ts',
        'needed === undefined || given === needed',
        'needed === undefined || needed.length > 0',
      ],
      test: [
        'server/features/sign-in/registration.test.ts',
        'is required in its present version and recorded with the new account',
      ],
    },
  },
  102: {
    'a changed address may be at any domain': {
      change: ['server/features/account/email-routes.ts', 'refuseForeignDomain(email, config.emailDomains);', ''],
      test: ['server/features/sign-in/registration.test.ts', 'are checked when an address is changed'],
    },
  },
  119: {
    'a call that names no scope lets tokens for writing pass': {
      change: [
        'server/features/api-tokens/rules.ts',
        'if (needed === undefined) return',
        "if (needed === undefined && scope === 'read') return",
      ],
      test: ['server/features/api-tokens/scopes.test.ts', 'each token makes exactly the calls of its scope'],
    },
    'a token for reading may write': {
      change: [
        'server/features/api-tokens/rules.ts',
        "needed === 'write' && scope === 'read'",
        "needed === 'write' && scope === 'write'",
      ],
      test: ['server/features/api-tokens/scopes.test.ts', 'each token makes exactly the calls of its scope'],
    },
  },
  120: {
    'a token is stored in clear': {
      change: ['server/features/api-tokens/rules.ts', "hash('sha256', token, 'base64url')", '(void hash, token)'],
      test: ['server/features/api-tokens/tokens.test.ts', 'a mailed code makes one'],
    },
    'tokens outlive the end of all sessions': {
      change: ['server/features/sessions/store.ts', 'await endAllTokensOf(tx, userId)', '(void endAllTokensOf, 0)'],
      test: ['server/features/api-tokens/tokens.test.ts', 'whatever ends all sessions ends them too'],
    },
  },
  162: {
    'the data of everybody are shown': {
      change: ['server/features/account/kept-rows.ts', '= ${person[by]}', 'is not null and ${person[by]} is not null'],
      test: ['server/features/account/kept-data.test.ts', 'what is kept about a person is counted'],
    },
    'a table is left out': {
      change: ['server/features/account/kept-kinds.ts', "also: ['budgets']", 'also: []'],
      test: ['server/features/account/kept-data.test.ts', 'name every table that holds personal data'],
    },
  },
};
