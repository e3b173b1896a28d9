import { byRule } from './mutation.ts';

const rules = 'server/features/sign-in/rules.ts';
const rulesTest = 'server/features/sign-in/rules.test.ts';
const signInTest = 'server/features/sign-in/sign-in.test.ts';
const judgeCode = 'server/features/sign-in/judge-code.ts';
const limitsTest = 'server/features/sign-in/limits.test.ts';
const sendCode = 'server/features/sign-in/send-code.ts';
const store = 'server/features/sign-in/store.ts';
const codesTest = 'server/features/account/codes.test.ts';

/** Codes and where they are valid: rules 1–4. */
export const codes = byRule({
  1: {
    'codes lose leading zeros': {
      change: [rules, ".padStart(limits.codeLength, '0')", ''],
      test: [rulesTest, 'codes are six digits with leading zeros, evenly distributed'],
    },
    'codes come from a tenth of their range': {
      change: [rules, 'randomInt(10 ** limits.codeLength)', 'randomInt(10 ** limits.codeLength / 10)'],
      test: [rulesTest, 'codes are six digits with leading zeros, evenly distributed'],
    },
    'the code is stored in clear': {
      change: [sendCode, 'codeHash: secrets.codeMac([id, purpose, email, code]),', 'codeHash: code,'],
      test: [signInTest, 'neither the database nor a response contains a code in clear'],
    },
    'a code never expires': {
      change: [judgeCode, ' || operation.expires_at <= at) return', ') return'],
      test: [signInTest, 'accepts a code for ten minutes'],
    },
  },
  2: {
    'tries are read before they are counted': {
      change: [
        store,
        `  const row = await db
    .updateTable('operations')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('attempts', '<', triesPerOperation)
    .returning('attempts')
    .executeTakeFirst();
  return row?.attempts;`,
        `  const row = await db.selectFrom('operations').select('attempts').where('id', '=', id).executeTakeFirst();
  if (!row || row.attempts >= triesPerOperation) return undefined;
  await db.updateTable('operations').set({ attempts: row.attempts + 1 }).where('id', '=', id).execute();
  return row.attempts + 1;`,
      ],
      test: [limitsTest, 'RATE_LIMITS=off lifts the budgets, but not the tries of an operation nor the pause'],
    },
    'tries are counted but never run out': {
      change: [store, "\n    .where('attempts', '<', triesPerOperation)", ''],
      test: [signInTest, 'compares exactly five of many concurrent wrong codes'],
    },
    'a rejected try is rolled back with its transaction': {
      change: [
        'server/limits/http.ts',
        'db.tx(work)',
        'db.tx(async (tx) => {\n    const done = await work(tx);\n    if (isRefusal(done)) throw new ApiError("INVALID_CONFIRM_CODE");\n    return done;\n  })',
      ],
      test: [signInTest, 'rejects a code after five wrong tries'],
    },
  },
  3: {
    'a correct code does not end its operation': {
      change: [judgeCode, 'await endOperation(tx, id);', 'void endOperation;'],
      test: [signInTest, 'opens exactly one session for many concurrent right codes'],
    },
  },
  4: {
    'the id of an operation has 64 bits': {
      change: [rules, 'randomBytes(16)', 'randomBytes(8)'],
      test: [rulesTest, 'an operation’s id is 128 random bits'],
    },
    'a code is valid for any purpose': {
      change: [
        judgeCode,
        'operation?.purpose === purpose && operation.user_id === userId',
        'operation !== undefined && operation.user_id === userId',
      ],
      test: [signInTest, 'a code works for its own operation, purpose and client only'],
    },
    'a code is valid for any client': {
      change: [
        judgeCode,
        "if (operation.client_token !== clientToken) return { refused: 'INVALID_REQUEST' };",
        'void clientToken;',
      ],
      test: [signInTest, 'a code works for its own operation, purpose and client only'],
    },
    'a code is valid for any signed-in person': {
      change: [
        judgeCode,
        'operation?.purpose === purpose && operation.user_id === userId',
        'operation?.purpose === purpose',
      ],
      test: [codesTest, 'work only for their own purpose and person'],
    },
    'a code is valid after the address has changed': {
      change: [
        'server/features/account/email-routes.ts',
        `    // A code sent for the old address must not confirm anything for the new one.
    await endOperationsOf(tx, userId);
`,
        '',
      ],
      test: [codesTest, 'become invalid when the address of the account changes'],
    },
  },
});
