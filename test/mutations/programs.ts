import { byRule } from './mutation.ts';

const rules = 'server/features/programs/rules.ts';
const store = 'server/features/programs/store.ts';
const sessions = 'server/features/sessions/store.ts';
const guard = 'server/features/sessions/http.ts';
const scopesTest = 'server/features/programs/scopes.test.ts';
const tokensTest = 'server/features/programs/tokens.test.ts';
const matrix = 'each token makes exactly the calls of its scope';

/** Tokens for programs: rules 119 and 120. */
export const programs = byRule({
  119: {
    'a call that names no scope lets tokens for writing pass': {
      change: [rules, 'if (needed === undefined) return', "if (needed === undefined && scope === 'read') return"],
      test: [scopesTest, matrix],
    },
    'a token for reading may write': {
      change: [rules, "needed === 'write' && scope === 'read'", "needed === 'write' && scope === 'write'"],
      test: [scopesTest, matrix],
    },
    'programs may fetch the export': {
      change: [
        'contract/account.ts',
        "  summary: 'Всё своё одним файлом',\n  access: 'user',\n",
        "  summary: 'Всё своё одним файлом',\n  access: 'user',\n  programs: 'read',\n",
      ],
      test: [scopesTest, matrix],
    },
  },
  120: {
    'a token is stored in clear': {
      change: [rules, "hash('sha256', token, 'base64url')", '(void hash, token)'],
      test: [tokensTest, 'a mailed code makes one'],
    },
    'a token that was found is cached for two seconds': {
      change: [
        store,
        '  const [token] = await tokenByHash(db, { hash, now });\n  return token;',
        `  const remembered = (globalThis.remembered ??= new Map());
  const cached = remembered.get(hash);
  if (cached && cached.until > Date.now()) return cached.token;
  const [token] = await tokenByHash(db, { hash, now });
  if (token) remembered.set(hash, { token, until: Date.now() + 2_000 });
  return token;`,
      ],
      test: [tokensTest, 'an ended token is refused at once'],
    },
    'tokens outlive the end of all sessions': {
      change: [sessions, 'await endAllTokensOf(tx, userId)', '(void endAllTokensOf, 0)'],
      test: [tokensTest, 'whatever ends all sessions ends them too'],
    },
    'a blocked person’s programs go on': {
      change: [guard, '    refuseBlocked(found);\n', ''],
      test: [tokensTest, 'whatever ends all sessions ends them too'],
    },
    'every call of a program writes': {
      change: [rules, 'Math.abs(now - lastUsedAt) >= usePrecisionSeconds', 'now !== lastUsedAt'],
      test: [tokensTest, 'the last use is stored to the hour'],
    },
    'an event stream outlives its token': {
      change: [
        'server/features/live/store.ts',
        'await findTokenOwner(db, viewer.tokenId)',
        '(void findTokenOwner, { user_id: viewer.userId, blocked_at: null })',
      ],
      test: [tokensTest, 'an event stream with a token'],
    },
  },
});
