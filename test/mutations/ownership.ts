import { byRule } from './mutation.ts';

const http = 'server/features/sessions/http.ts';
const emailChangeTest = 'server/features/account/email-change.test.ts';
const writingRoutes = 'server/features/posts/writing-routes.ts';
const ownershipTest = 'server/features/sessions/ownership.test.ts';
const store = 'server/features/sessions/store.ts';
const text = 'contract/text.ts';
const writingTest = 'server/features/posts/writing.test.ts';
const textTest = 'contract/text.test.ts';
const username = 'contract/username.ts';
const usernameTest = 'server/features/account/username.test.ts';
const headers = 'server/http/headers.ts';
const headersTest = 'server/http/headers.test.ts';
const writingLimitsTest = 'server/features/posts/writing-limits.test.ts';
const writingBudgetsTest = 'server/limits/writing-budgets.test.ts';
const postgresErrors = 'server/db/postgres/postgres-errors.ts';

/** Access, texts, names, their output and budgets: rules 13–15, 17, 18, 20, 21, 31–33. */
export const ownership = byRule({
  13: {
    'requests of other origins are accepted with the cookie': {
      change: [
        http,
        'if (changes && isForeign(request, access))',
        'if (changes && request.hostname === "" && isForeign(request, access))',
      ],
      test: ['server/features/sessions/foreign-origins.test.ts', 'pages of other origins cannot change anything'],
    },
    'the same in Chromium, from a page of the same site and of another one': {
      change: [
        http,
        'if (changes && isForeign(request, access))',
        'if (changes && request.hostname === "" && isForeign(request, access))',
      ],
      test: ['test/e2e/foreign-page.spec.ts', 'a page .* changes nothing'],
    },
    'browsers that send no Sec-Fetch-Site (plain http in a home network) count as another origin': {
      change: [http, "return from === '' || (from !== host && from !== publicHost);", 'return from !== "nobody";'],
      test: ['test/e2e/publishing-plain-http.spec.ts', '.'],
    },
  },
  14: {
    'the old address is not notified of the new one': {
      change: [
        'server/features/account/email-routes.ts',
        'await queueNotice(tx, { recipient: before, sealed: secrets.seal(JSON.stringify(notice)), now: at });',
        'void notice;',
      ],
      test: [emailChangeTest, 'is confirmed by a code sent to the new address and reported to the old one'],
    },
  },
  15: {
    'anybody can edit and delete any post': {
      change: [writingRoutes, "if (post.user_id !== userId) throw new ApiError('FORBIDDEN');", 'void userId;'],
      test: [ownershipTest, 'nobody can change, delete or close what belongs to somebody else'],
    },
    'a session can be closed by anybody who knows its id': {
      change: [
        store,
        ".where('user_id', '=', userId)\n    .where('id', '=', id)",
        ".where('user_id', '>', userId - userId)\n    .where('id', '=', id)",
      ],
      test: [ownershipTest, 'nobody can change, delete or close what belongs to somebody else'],
    },
    'the list of sessions contains those of other people': {
      change: [
        store,
        ".where('user_id', '=', userId)\n    .where('last_active_at', '>', now - idleSeconds)",
        ".where('user_id', '>', userId - userId)\n    .where('last_active_at', '>', now - idleSeconds)",
      ],
      test: [ownershipTest, 'own lists contain nothing of anybody else'],
    },
  },
  17: {
    'a text is empty only if trim() leaves nothing': {
      change: [text, "if (text.replace(invisible, '') === '')", "if (text.trim() === '')"],
      test: [writingTest, 'an empty, too long or malformed text is refused with the reason'],
    },
    'texts are stored without Unicode normalization, so that equal words may differ': {
      change: [text, ".normalize('NFC')", ''],
      test: [textTest, '.'],
    },
    'the text is stored as it was sent, not in the form that is counted': {
      change: ['server/features/posts/http.ts', 'return result.text;', 'return raw;'],
      test: [writingTest, 'an accepted text is returned as it was stored, byte for byte'],
    },
  },
  18: {
    'the pattern has the flags i and u and accepts the Kelvin sign': {
      change: [
        username,
        'new RegExp(`^[a-zA-Z0-9_]{${limits.usernameMin},${limits.usernameMax}}$`)',
        "new RegExp(`^[a-z0-9_]{${limits.usernameMin},${limits.usernameMax}}$`, 'iu')",
      ],
      test: [usernameTest, 'is refused with the reason when it is invalid, by check and change'],
    },
    'names that differ in case are different names': {
      change: [
        username,
        'const usernameKey = (username: string): string => username.toLowerCase();',
        'const usernameKey = (username: string): string => username;',
      ],
      test: [usernameTest, 'goes to one of a hundred people who claim it at once, in any case'],
    },
  },
  20: {
    'a text can end the script element that contains it': {
      change: ['web/app/document.ts', '.replace(/[<\\u2028\\u2029]/g,', '.replace(/[\\u2028\\u2029]/g,'],
      test: ['test/e2e/hostile-texts.spec.ts', 'documents with hostile posts|including its data block'],
    },
    'pages allow inline scripts': {
      change: [headers, '["script-src \'self\'", ...hashes(scripts)]', "[\"script-src 'self' 'unsafe-inline'\"]"],
      test: [headersTest, '.'],
    },
    'any site may embed the wall in a frame': {
      change: [headers, '"frame-ancestors \'none\'",', ''],
      test: [headersTest, '.'],
    },
    'personal responses may be cached': {
      change: [
        'server/http/response.ts',
        "'cache-control', 'no-store', 'content-type', jsonType];",
        "'content-type', jsonType];",
      ],
      test: ['server/features/sessions/sessions.test.ts', 'personal responses are not cached'],
    },
    'a compressed response of a person who likes posts is that of visitors': {
      change: [
        'server/features/posts/http.ts',
        'new PersonalJson(response.bodyFor(liked))',
        'new PersonalJson(response.bodyFor(liked), response)',
      ],
      test: ['server/features/posts/viewer.test.ts', 'are in compressed responses too'],
    },
  },
  21: {
    'budgets are read without a lock, so that a burst exceeds them': {
      change: [
        'server/limits/budgets.ts',
        'const [row] = await lockHits(db, { key, expiresAt: now + longest });',
        "const row = (await db.selectFrom('budgets').select('hits').where('key', '=', key).executeTakeFirst()) ?? { hits: '[]' };\n    await new Promise((resolve) => setTimeout(resolve, 5));\n    await lockHits(db, { key, expiresAt: now + longest });",
      ],
      test: ['server/features/posts/processes.test.ts', 'the budget of five posts a minute holds for both together'],
    },
    'six posts per minute are allowed': {
      change: ['server/limits/writing-budgets.ts', '{ count: 5, seconds: minute }', '{ count: 6, seconds: minute }'],
      test: [writingLimitsTest, 'budgets are exact under bursts, and repeated requests with a key are free'],
    },
    'X-Forwarded-For is trusted from every client': {
      change: ['server/app.ts', 'trustProxy: trusted,', 'trustProxy: true,'],
      test: ['server/http/limits.test.ts', 'only from a trusted proxy'],
    },
    'text that is no address makes a new client': {
      change: ['server/http/client-network.ts', "if (isIP(ip) === 0) return '';", 'void isIP;'],
      test: ['server/http/limits.test.ts', 'only from a trusted proxy'],
    },
  },
  32: {
    'runs of combining marks are sorted before they are shortened': {
      change: [text, "    .replace(markRunBeforeNfc, '$1')\n", ''],
      test: [textTest, 'no text of 16 kB takes many times as long as a plain one'],
    },
    'a text is checked before the budget': {
      change: [
        writingRoutes,
        "    const key = headers['idempotency-key'];",
        "    acceptText(body.text);\n    const key = headers['idempotency-key'];",
      ],
      test: [writingBudgetsTest, 'are checked before the text; a refused text spends nothing'],
    },
  },
  33: {
    'edits have no budget': {
      change: [writingRoutes, 'await spendOrRefuse(tx, budgets.edits(userId), at);', ''],
      test: [writingBudgetsTest, 'are exact for edits'],
    },
    'checks of whether a name is free have no budget': {
      change: [
        'server/features/account/routes.ts',
        'await db.tx((tx) => spendOrRefuse(tx, budgets.nameChecks(userId), now()));',
        'void budgets;',
      ],
      test: [writingBudgetsTest, 'are exact for edits'],
    },
    'a change of name tells any number of times that a name is taken': {
      change: ['server/features/account/routes.ts', 'await spendNameCheck(userId);\n    const change', 'const change'],
      test: [usernameTest, 'is told to be taken at most thirty times a minute'],
    },
  },
  31: {
    'a rejected mail is logged with its address': {
      change: ['server/mail/sender.ts', "code, command }, 'mail not accepted'", "err: error }, 'mail not accepted'"],
      test: ['server/features/sign-in/processes.test.ts', 'logs are JSON lines'],
    },
    'errors of PostgreSQL contain the row': {
      change: [postgresErrors, 'if (error instanceof pg.DatabaseError) error.detail = undefined;', ''],
      test: ['server/db/transactions.test.ts', 'report a failed statement without the row'],
    },
  },
});
