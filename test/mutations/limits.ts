import { byRule } from './mutation.ts';

const signInTest = 'server/features/sign-in/sign-in.test.ts';
const judgeCode = 'server/features/sign-in/judge-code.ts';
const budgets = 'server/features/sign-in/budgets.ts';
const emailChangeTest = 'server/features/account/email-change.test.ts';
const limitsTest = 'server/features/sign-in/limits.test.ts';
const httpLimitsTest = 'server/http/limits.test.ts';
const email = 'contract/email.ts';
const hostileAddressesTest = 'server/features/sign-in/hostile-addresses.test.ts';
const transport = 'server/mail/transport.ts';

/** Limits of guesses and mails, and what is revealed about addresses: rules 5–8. */
export const limits = byRule({
  5: {
    'wrong codes for an address are counted per operation': {
      change: [judgeCode, 'wrongCodes.spend();', 'void wrongCodes;'],
      test: [limitsTest, '10 wrong codes an hour and 20 a day'],
    },
    'there is no daily budget': {
      change: [
        budgets,
        'limits: limited({ count: 10, seconds: hour }, { count: 20, seconds: day }),',
        'limits: limited({ count: 10, seconds: hour }),',
      ],
      test: [limitsTest, '10 wrong codes an hour and 20 a day'],
    },
    'a known device has no separate budget': {
      change: [
        budgets,
        '(knownDevice ? `${email} ${knownDevice}` : email)',
        '(knownDevice === "" ? knownDevice : email)',
      ],
      test: [limitsTest, 'the owner signs in on a known device while a stranger has exhausted every budget'],
    },
    'the budgets are one too high, over HTTP and on three processes': {
      change: [
        budgets,
        'limits: limited({ count: 10, seconds: hour }, { count: 20, seconds: day }),',
        'limits: limited({ count: 11, seconds: hour }, { count: 21, seconds: day }),',
      ],
      test: ['test/faults/faults.test.ts', 'wrong-codes'],
    },
    'at a change of address a known device has a separate budget for guesses': {
      change: [
        judgeCode,
        'const owner = await findUserIdByEmail(tx.db, email);',
        'const owner = userId ?? (await findUserIdByEmail(tx.db, email));',
      ],
      test: [emailChangeTest, 'limits the codes to one address for all accounts and devices together'],
    },
  },
  6: {
    'each account that requests a change to an address has its own mail budget': {
      change: ['server/features/account/http.ts', "purpose === 'email-change' ? undefined : userId", 'userId'],
      test: [emailChangeTest, 'limits the codes to one address for all accounts and devices together'],
    },
    'there is no pause between two mails': {
      change: [
        budgets,
        'codeResendSeconds > 0 ? [{ count: 1, seconds: codeResendSeconds }] : []',
        'codeResendSeconds < 0 ? [{ count: 1, seconds: codeResendSeconds }] : []',
      ],
      test: [limitsTest, 'are exact under a burst from many devices'],
    },
    'there is no hourly budget for mails': {
      change: [
        budgets,
        'limited({ count: 5, seconds: hour }, { count: 10, seconds: day })',
        'limited({ count: 10, seconds: day })',
      ],
      test: [limitsTest, 'one mail in 60 s, 5 an hour, 10 a day'],
    },
    'there is no daily budget for mails': {
      change: [
        budgets,
        'limited({ count: 5, seconds: hour }, { count: 10, seconds: day })',
        'limited({ count: 5, seconds: hour })',
      ],
      test: [limitsTest, 'one mail in 60 s, 5 an hour, 10 a day'],
    },
    'starts are not counted per network': {
      change: [budgets, "ofEach('starts', networks, 60)", "ofEach('starts', networks, 600)"],
      test: [limitsTest, '60 starts an hour for an IP address, for all accounts'],
    },
    'every IPv6 address counts as another client': {
      change: ['server/http/client-network.ts', '.slice(0, 4)', ''],
      test: [httpLimitsTest, 'IPv6 addresses of a household'],
    },
    'budgets are read without a lock': {
      change: [
        'server/limits/budgets.ts',
        'const [row] = await lockHits(db, { key, expiresAt: now + longest });',
        "const row = (await db.selectFrom('budgets').select('hits').where('key', '=', key).executeTakeFirst()) ?? (await lockHits(db, { key, expiresAt: now + longest }))[0];",
      ],
      test: [limitsTest, 'are exact under a burst from many devices'],
    },
    'responses do not say when to try again': {
      change: ['server/http/errors.ts', "void reply.header('retry-after', known.retryAfter);", 'void known;'],
      test: [httpLimitsTest, 'reads are limited by address, with the time to wait'],
    },
  },
  7: {
    'a network has no budgets, neither for starts nor for the addresses that they reveal': {
      change: [budgets, '(rateLimits ? limits : never)', '(rateLimits === undefined ? limits : never)'],
      test: [emailChangeTest, 'reveals at most sixty taken addresses an hour to one network'],
    },
    'a signed-in person may check any number of addresses': {
      change: [
        budgets,
        'limits: limited({ count: 5, seconds: day }),',
        'limits: limited({ count: 500, seconds: day }),',
      ],
      test: [emailChangeTest, 'reveals at most five taken addresses a day to one account'],
    },
    'responses for a known address take 20 ms longer': {
      change: [
        'server/features/sign-in/send-code.ts',
        '    const id = newOperationId();',
        '    await new Promise((resolve) => setTimeout(resolve, 20));\n    const id = newOperationId();',
      ],
      test: [signInTest, 'the response time does not reveal whether an address has an account'],
    },
  },
  8: {
    'an address may contain a comma': {
      change: [email, '`a-z{|}~]{1,64}$/', '`a-z{|}~,@]{1,64}$/'],
      test: [hostileAddressesTest, 'hostile addresses are refused or reach exactly the mailbox they name'],
    },
    'addresses are matched by a regular expression that backtracks': {
      change: [
        email,
        '  const trimmed = raw.trim();',
        '  const trimmed = raw.trim();\n  if (!/\\S+@\\S+\\.\\S{2,}/.test(raw)) return undefined;',
      ],
      test: ['contract/email.test.ts', 'four thousand at-signs are checked in milliseconds'],
    },
    'the mailer receives a string, and the pattern accepts two addresses': {
      change: [transport, "to: { name: '', address: recipient },", 'to: recipient.replace("@", ", somebody@"),'],
      test: [hostileAddressesTest, 'hostile addresses are refused or reach exactly the mailbox they name'],
    },
  },
});
