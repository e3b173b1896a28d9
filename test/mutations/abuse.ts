import { byRule } from './mutation.ts';

const accountStore = 'server/features/account/store.ts';
const leftNamesTest = 'server/features/account/left-names.test.ts';
const usernameTest = 'server/features/account/username.test.ts';
const guessingTest = 'server/features/sign-in/guessing.test.ts';
const rules = 'server/features/account/rules.ts';
const deviceName = 'server/mail/device-name.ts';
const mailTest = 'server/mail/mail.test.ts';
const judgeCode = 'server/features/sign-in/judge-code.ts';
const sendCode = 'server/features/sign-in/send-code.ts';
const missedNews = 'server/live/missed-news.ts';
const missedNewsTest = 'server/live/missed-news.test.ts';
const securityLogTest = 'server/http/security-log.test.ts';

/** Spam, imitation and guessed codes: rules 42–45; streams: rule 126. */
export const abuse = byRule({
  42: {
    'four changes of name are allowed per day': {
      change: ['server/limits/writing-budgets.ts', "of('renames', { count: 3,", "of('renames', { count: 4,"],
      test: [leftNamesTest, 'is allowed exactly three times a day, besides the first choice of a name'],
    },
    'every change from a name like user_… counts as the first choice': {
      change: [accountStore, ' && !(await hasLeftNames(tx.db, userId))', ''],
      test: [leftNamesTest, 'is allowed exactly three times a day, besides the first choice of a name'],
    },
    'a name that was given up is available to others at once': {
      change: [
        accountStore,
        'if (await isReservedForAnother(db, after, userId, now))',
        'if ((await isReservedForAnother(db, after, userId, now)) && userId < 0)',
      ],
      test: [
        leftNamesTest,
        'reserves the left name for 30 days; its owner may take it back|refuses the name to somebody who claims it while it is being left',
      ],
    },
    'whether a name is reserved is read before the name is locked': {
      change: [
        accountStore,
        `  await renameUser(tx, userId, username);
  await recordLeftName(tx, { userId, before, after: username, now });`,
        `  await recordLeftName(tx, { userId, before, after: username, now });
  await renameUser(tx, userId, username);`,
      ],
      test: [leftNamesTest, 'refuses the name to somebody who claims it while it is being left'],
    },
    'the previous names of a deleted account lead to it': {
      change: [accountStore, "\n      .where(isNotDeleted('users')),", ','],
      test: [leftNamesTest, 'does not redirect after the account is deleted, and its names stay taken'],
    },
    'old links stop working when the name changes': {
      change: ['server/features/account/routes.ts', ' ?? (await findUserByLeftName(username, from))', ''],
      test: [leftNamesTest, 'redirects links to the person for 30 days or until somebody has the name'],
    },
    'words that suggest an operator are rejected only as whole names': {
      change: [
        rules,
        'return roles.test(folded) || roleWords.test(folded);',
        "return folded === '' || (roles.test('') && roleWords.test(''));",
      ],
      test: [usernameTest, 'is taken when it misleads or collides with a path of the site'],
    },
    'names with look-alike characters count as different': {
      change: [
        rules,
        "name.toLowerCase().replaceAll('0', 'o').replaceAll(/[1l]/g, 'i').replaceAll('rn', 'm').replaceAll('vv', 'w');",
        'name.toLowerCase();',
      ],
      test: [usernameTest, 'is taken when it misleads or collides with a path of the site'],
    },
    'a repeated letter makes a reserved word free': {
      change: [rules, '`${letter}{${run.length},}`', '`${letter}{${run.length}}`'],
      test: [usernameTest, 'is taken when it misleads or collides with a path of the site'],
    },
    'commands find people only by their current names': {
      change: [
        'server/commands/admin/find.ts',
        'const current = await currentNameOf(db, target, now);',
        'const current = now < 0 ? await currentNameOf(db, target, now) : undefined;',
      ],
      test: ['server/commands/admin/named-people.test.ts', 'finds people by a former name'],
    },
  },
  43: {
    'mails repeat the name of the browser as it was sent': {
      change: [
        deviceName,
        "browsers.has(userAgent) ? withVersion(userAgent, userAgentVersion) : ''",
        'withVersion(userAgent, userAgentVersion)',
      ],
      test: [mailTest, 'mails repeat no text from the device description'],
    },
    'mails repeat the name of the operating system as it was sent': {
      change: [deviceName, "system ? withVersion(system, os.slice(system.length + 1)) : ''", 'system ? os : system'],
      test: [mailTest, 'mails repeat no text from the device description'],
    },
  },
  44: {
    'wrong codes are not counted per network': {
      change: [judgeCode, '...(isKnown ? [] : budgets.guesses(networks)),', ''],
      test: [guessingTest, 'allows 30 wrong codes an hour for a network, and does not limit a known device by them'],
    },
    'a network that has used up its wrong codes locks out known devices too': {
      change: [judgeCode, '...(isKnown ? [] : budgets.guesses(networks)),', '...budgets.guesses(networks),'],
      test: [guessingTest, 'allows 30 wrong codes an hour for a network, and does not limit a known device by them'],
    },
    'every IPv6 /64 counts as another network': {
      change: [
        'server/http/client-network.ts',
        "return [network, `${wide}:${fourth.padStart(4, '0').slice(0, 2)}/56`, `${wide}/48`];",
        'return [network, `${network}${wide}${fourth}/56`];',
      ],
      test: [guessingTest, 'counts the wider IPv6 networks that one customer may have'],
    },
    'an address with a plus suffix counts as another mailbox': {
      change: ['server/features/sign-in/budgets.ts', ".replace(/(?<=.)\\+.*(?=@)/, '')", ''],
      test: [guessingTest, 'sends at most 20 mails an hour to one mailbox, whatever follows a plus'],
    },
    'a mailbox whose mail budget strangers have used up locks out known devices too': {
      change: [sendCode, '...(knownDevice ? [] : [budgets.mailbox(email)])', 'budgets.mailbox(email)'],
      test: [guessingTest, 'sends at most 20 mails an hour to one mailbox, whatever follows a plus'],
    },
    'the owner is notified of every wrong code after the ninth': {
      change: [
        judgeCode,
        'if (!isAlarming || (await spend(tx, [budgets.alarms(email)], at))) return;',
        'if (!isAlarming) return;',
      ],
      test: [guessingTest, 'is reported to the owner after ten wrong codes, once a day'],
    },
  },
  45: {
    'the log contains addresses': {
      change: ['server/secrets.ts', 'hmac(addressKey, address).slice(0, 16)', 'address || addressKey.toString()'],
      test: [securityLogTest, 'logs and counts events'],
    },
    'wrong codes are not logged': {
      change: ['server/limits/http.ts', 'new ApiError(outcome.refused, outcome)', 'new ApiError(outcome.refused)'],
      test: [securityLogTest, 'logs and counts events'],
    },
  },
  126: {
    'what was missed is read for each subscriber': {
      change: [missedNews, 'this.#shared.set(after, missed);', ''],
      test: [missedNewsTest, 'of one position are read once, and those of another count as many reads'],
    },
    'any number of missed changes counts as one read': {
      change: ['server/http/request-guards.ts', '?? 0) + reads;', '?? 0) + Math.min(reads, 1);'],
      test: [missedNewsTest, 'of one position are read once, and those of another count as many reads'],
    },
    'an event contains thousands of missed changes': {
      change: [missedNews, 'const maxChanges = 300;', 'const maxChanges = 5_000;'],
      test: [missedNewsTest, 'are replaced by a reset when there are more than 300 or their texts are long'],
    },
    'an event contains edited texts of any length': {
      change: [missedNews, '128 * 1024', '128 * 1024 ** 2'],
      test: [missedNewsTest, 'are replaced by a reset when there are more than 300 or their texts are long'],
    },
    'shared news are kept when an account is deleted': {
      change: [missedNews, 'db.onChange(() => this.#shared.clear());', ''],
      test: [missedNewsTest, 'contain what was written since the last reading, and nothing of a deleted account'],
    },
  },
});
