import type { Mutation } from './mutation.ts';

const rules = 'server/features/sign-in/rules.ts';
const rulesTest = 'server/features/sign-in/rules.test.ts';
const signInTest = 'server/features/sign-in/sign-in.test.ts';
const judgeCode = 'server/features/sign-in/judge-code.ts';
const limitsTest = 'server/features/sign-in/limits.test.ts';

/** Codes and where they are valid: rules 1–4. */
export const codes: readonly Mutation[] = [
  {
    rule: 1,
    how: 'codes lose leading zeros',
    file: rules,
    from: ".padStart(limits.codeLength, '0')",
    to: '',
    test: rulesTest,
    name: 'codes are six digits with leading zeros, evenly distributed',
  },
  {
    rule: 1,
    how: 'codes come from a tenth of their range',
    file: rules,
    from: 'randomInt(10 ** limits.codeLength)',
    to: 'randomInt(10 ** limits.codeLength / 10)',
    test: rulesTest,
    name: 'codes are six digits with leading zeros, evenly distributed',
  },
  {
    rule: 1,
    how: 'the code is stored in clear',
    file: 'server/features/sign-in/send-code.ts',
    from: 'codeHash: secrets.codeMac([id, purpose, email, code]),',
    to: 'codeHash: code,',
    test: signInTest,
    name: 'neither the database nor a response contains a code in clear',
  },
  {
    rule: 1,
    how: 'a code never expires',
    file: judgeCode,
    from: ' || operation.expires_at <= at) return',
    to: ') return',
    test: signInTest,
    name: 'accepts a code for ten minutes',
  },
  {
    rule: 2,
    how: 'tries are read before they are counted',
    file: 'server/features/sign-in/store.ts',
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
    name: 'RATE_LIMITS=off lifts the budgets, but not the tries of an operation nor the pause',
  },
  {
    rule: 2,
    how: 'tries are counted but never run out',
    file: 'server/features/sign-in/store.ts',
    from: "\n    .where('attempts', '<', triesPerOperation)",
    to: '',
    test: signInTest,
    name: 'compares exactly five of many concurrent wrong codes',
  },
  {
    rule: 2,
    how: 'a rejected try is rolled back with its transaction',
    file: 'server/limits/http.ts',
    from: 'db.tx(work)',
    to: 'db.tx(async (tx) => {\n    const done = await work(tx);\n    if (isRefusal(done)) throw new ApiError("INVALID_CONFIRM_CODE");\n    return done;\n  })',
    test: signInTest,
    name: 'rejects a code after five wrong tries',
  },
  {
    rule: 3,
    how: 'a correct code does not end its operation',
    file: judgeCode,
    from: 'await endOperation(tx, id);',
    to: 'void endOperation;',
    test: signInTest,
    name: 'opens exactly one session for many concurrent right codes',
  },
  {
    rule: 4,
    how: 'the id of an operation has 64 bits',
    file: rules,
    from: 'randomBytes(16)',
    to: 'randomBytes(8)',
    test: rulesTest,
    name: 'an operation’s id is 128 random bits',
  },
  {
    rule: 4,
    how: 'a code is valid for any purpose',
    file: judgeCode,
    from: 'operation?.purpose === purpose && operation.user_id === userId',
    to: 'operation !== undefined && operation.user_id === userId',
    test: signInTest,
    name: 'a code works for its own operation, purpose and client only',
  },
  {
    rule: 4,
    how: 'a code is valid for any client',
    file: judgeCode,
    from: "if (operation.client_token !== clientToken) return { refused: 'INVALID_REQUEST' };",
    to: 'void clientToken;',
    test: signInTest,
    name: 'a code works for its own operation, purpose and client only',
  },
  {
    rule: 4,
    how: 'a code is valid for any signed-in person',
    file: judgeCode,
    from: 'operation?.purpose === purpose && operation.user_id === userId',
    to: 'operation?.purpose === purpose',
    test: 'server/features/account/codes.test.ts',
    name: 'work only for their own purpose and person',
  },
  {
    rule: 4,
    how: 'a code is valid after the address has changed',
    file: 'server/features/account/email-routes.ts',
    from: `    // A code sent for the old address must not confirm anything for the new one.
    await endOperationsOf(tx, userId);
`,
    to: '',
    test: 'server/features/account/codes.test.ts',
    name: 'become invalid when the address of the account changes',
  },
];
