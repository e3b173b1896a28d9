import type { BrokenRule } from './broken-rule.ts';

const rules = 'server/auth/rules.ts';
const rulesTest = 'server/auth/rules.test.ts';
const signInTest = 'server/auth/sign-in.test.ts';
const judgeCode = 'server/auth/judge-code.ts';
const limitsTest = 'server/auth/limits.test.ts';

/** What a code is, and what it is good for: rules 1–4. */
export const codes: readonly BrokenRule[] = [
  {
    rule: 1,
    how: 'leading zeros of a code are lost',
    file: rules,
    from: ".padStart(limits.codeLength, '0')",
    to: '',
    test: rulesTest,
    name: 'codes are six digits',
  },
  {
    rule: 1,
    how: 'codes are drawn from a tenth of their range',
    file: rules,
    from: 'randomInt(10 ** limits.codeLength)',
    to: 'randomInt(10 ** limits.codeLength / 10)',
    test: rulesTest,
    name: 'codes are six digits',
  },
  {
    rule: 1,
    how: 'the code is kept as it is',
    file: 'server/auth/send-code.ts',
    from: 'codeHash: secrets.markCode([id, purpose, email, code]),',
    to: 'codeHash: code,',
    test: signInTest,
    name: 'codes are nowhere in the database in clear',
  },
  {
    rule: 1,
    how: 'a code never grows old',
    file: judgeCode,
    from: ' || operation.expires_at <= at) return',
    to: ') return',
    test: signInTest,
    name: 'a code lives ten minutes',
  },
  {
    rule: 2,
    how: 'tries are read first and written afterwards',
    file: 'server/auth/store.ts',
    from: `  const row = await db
    .updateTable('operations')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('attempts', '<', triesPerOperation)
    .returning('attempts')
    .executeTakeFirst();
  return row?.attempts;`,
    to: `  const row = await db.selectFrom('operations').select('attempts').where('id', '=', id).executeTakeFirst();
  if (!row || row.attempts >= triesPerOperation) return undefined;
  await db.updateTable('operations').set({ attempts: row.attempts + 1 }).where('id', '=', id).execute();
  return row.attempts + 1;`,
    test: limitsTest,
    name: 'RATE_LIMITS=off lifts the budgets',
  },
  {
    rule: 2,
    how: 'tries are counted but never used up',
    file: 'server/auth/store.ts',
    from: "\n    .where('attempts', '<', triesPerOperation)",
    to: '',
    test: signInTest,
    name: 'of many wrong codes at once exactly five are judged',
  },
  {
    rule: 2,
    how: 'a refused try is undone with its transaction',
    file: 'server/auth/verify.ts',
    from: "    if (!('email' in verdict)) return verdict;",
    to: "    if ('refused' in verdict) throw new ApiError(verdict.refused);\n    if (!('email' in verdict)) return verdict;",
    test: signInTest,
    name: 'five tries an operation',
  },
  {
    rule: 3,
    how: 'a right code does not end its operation',
    file: judgeCode,
    from: 'await endOperation(tx, id);',
    to: 'void endOperation;',
    test: signInTest,
    name: 'of many right codes at once exactly one opens a session',
  },
  {
    rule: 4,
    how: 'an operation is known by 64 bits',
    file: rules,
    from: 'randomBytes(16)',
    to: 'randomBytes(8)',
    test: rulesTest,
    name: 'an operation’s id is 128 random bits',
  },
  {
    rule: 4,
    how: 'a code serves any purpose',
    file: judgeCode,
    from: 'operation?.purpose === purpose && operation.user_id === userId',
    to: 'operation !== undefined && operation.user_id === userId',
    test: signInTest,
    name: 'a code works for its own operation, purpose and client only',
  },
  {
    rule: 4,
    how: 'a code serves any client',
    file: judgeCode,
    from: "if (operation.client_token !== clientToken) return { refused: 'INVALID_REQUEST' };",
    to: 'void clientToken;',
    test: signInTest,
    name: 'a code works for its own operation, purpose and client only',
  },
  {
    rule: 4,
    how: 'a code serves any signed-in person',
    file: judgeCode,
    from: 'operation?.purpose === purpose && operation.user_id === userId',
    to: 'operation?.purpose === purpose',
    test: 'server/account/codes.test.ts',
    name: 'serve their own purpose and person alone',
  },
  {
    rule: 4,
    how: 'a code outlives the address it was sent to',
    file: 'server/account/confirmed-changes.ts',
    from: `        // What was begun with the old address must not be ended with the new one.
        await endOperationsOf(tx, userId);
        if (`,
    to: '        if (',
    test: 'server/account/codes.test.ts',
    name: 'are void once the account they are for has another address',
  },
];
