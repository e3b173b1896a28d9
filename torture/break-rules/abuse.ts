import type { BrokenRule } from './broken-rule.ts';

const leftNames = 'server/account/left-names.ts';
const leftNamesTest = 'server/account/left-names.test.ts';
const usernameTest = 'server/account/username.test.ts';
const people = 'server/admin/find.ts';
const peopleTest = 'server/admin/named-people.test.ts';

/** Spammers, imitators and those who guess codes: rules 42–45. */
export const abuse: readonly BrokenRule[] = [
  {
    rule: 42,
    how: 'four changes of name a day',
    file: 'server/limits/writing-budgets.ts',
    from: "of('renames', { count: 3,",
    to: "of('renames', { count: 4,",
    test: leftNamesTest,
    name: 'is allowed three times a day',
  },
  {
    rule: 42,
    how: 'any change from a name like user_… is taken for the first choice',
    file: 'server/account/change-name.ts',
    from: ' && !(await hasLeftNames(tx.db, userId))',
    to: '',
    test: leftNamesTest,
    name: 'is allowed three times a day',
  },
  {
    rule: 42,
    how: 'a left name is anybody’s at once',
    file: leftNames,
    from: "if (await isKeptForAnother(db, after, userId, now)) throw new AlreadyTaken('The name was left less than 30 days ago');",
    to: 'void AlreadyTaken;',
    test: leftNamesTest,
    name: 'keeps the name that was left from others|gives the name to nobody',
  },
  {
    rule: 42,
    how: 'whether a name is kept for somebody is read before the name is written',
    file: 'server/account/change-name.ts',
    from: `  await renameUser(tx, userId, username);
  await recordLeftName(tx, { userId, before, after: username, now });`,
    to: `  await recordLeftName(tx, { userId, before, after: username, now });
  await renameUser(tx, userId, username);`,
    test: leftNamesTest,
    name: 'gives the name to nobody who claims it',
  },
  {
    rule: 42,
    how: 'the left names of a deleted account lead to it',
    file: leftNames,
    from: "\n    .where('u.deleted_at', 'is', null)",
    to: '',
    test: leftNamesTest,
    name: 'leads nowhere once the account is deleted',
  },
  {
    rule: 42,
    how: 'old links end with the change of a name',
    file: 'server/pages/content.ts',
    from: 'return current === undefined ? notFound :',
    to: 'return current !== "" ? notFound :',
    test: leftNamesTest,
    name: 'leaves links that lead to the person',
  },
  {
    rule: 42,
    how: 'words for those who run the wall are refused as whole names alone',
    file: 'server/account/rules.ts',
    from: 'return roles.test(folded) || roleWords.test(folded);',
    to: "return folded === '' || (roles.test('') && roleWords.test(''));",
    test: usernameTest,
    name: 'that misleads',
  },
  {
    rule: 42,
    how: 'look-alikes are other names',
    file: 'server/account/rules.ts',
    from: "name.toLowerCase().replaceAll('0', 'o').replaceAll(/[1l]/g, 'i').replaceAll('rn', 'm');",
    to: 'name.toLowerCase();',
    test: usernameTest,
    name: 'that misleads',
  },
  {
    rule: 42,
    how: 'commands know present names alone',
    file: people,
    from: 'const current = await currentNameOf(db, target, now);',
    to: 'const current = now < 0 ? await currentNameOf(db, target, now) : undefined;',
    test: peopleTest,
    name: 'people are found',
  },
  {
    rule: 43,
    how: 'letters repeat the browser’s name as it was sent',
    file: 'server/mail/device-name.ts',
    from: "browsers.has(userAgent) ? withVersion(userAgent, userAgentVersion) : ''",
    to: 'withVersion(userAgent, userAgentVersion)',
    test: 'server/mail/mail.test.ts',
    name: 'no letter repeats what a stranger says',
  },
  {
    rule: 43,
    how: 'letters repeat the system’s name as it was sent',
    file: 'server/mail/device-name.ts',
    from: "system ? withVersion(system, os.slice(system.length + 1)) : ''",
    to: 'system ? os : system',
    test: 'server/mail/mail.test.ts',
    name: 'no letter repeats what a stranger says',
  },
];
