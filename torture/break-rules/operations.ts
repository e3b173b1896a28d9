import type { BrokenRule } from './broken-rule.ts';

/** What an operator relies on: rules 46–49. */
export const operations: readonly BrokenRule[] = [
  {
    rule: 46,
    how: 'an empty secret in the data folder signs tokens',
    file: 'server/secrets.ts',
    from: 'if (isWeakSecret(secret)) {',
    to: 'if (isWeakSecret(secret) && dataDir.length === 0) {',
    test: 'server/secrets.test.ts',
    name: 'a kept secret that is empty or short is refused',
  },
  {
    rule: 46,
    how: 'tokens of the previous secret are refused',
    file: 'server/secrets.ts',
    from: '|| old.isSignatureOf(signature, text)',
    to: '',
    test: 'server/secret-rotation.test.ts',
    name: 'is accepted until that is removed',
  },
  {
    rule: 46,
    how: 'codes of the previous secret are refused',
    file: 'server/secrets.ts',
    from: '|| old.isMarkOfCode(mark, parts)',
    to: '',
    test: 'server/secret-rotation.test.ts',
    name: 'is accepted until that is removed',
  },
  {
    rule: 46,
    how: 'mails sealed with the previous secret cannot be unsealed',
    file: 'server/secrets.ts',
    from: 'return old.unseal(sealed);',
    to: 'return current.unseal(sealed);',
    test: 'server/secret-rotation.test.ts',
    name: 'is accepted until that is removed',
  },
  {
    rule: 46,
    how: 'a mail that cannot be unsealed fails the whole round of sending',
    file: 'server/mail/sender.ts',
    from: 'const content = unsealed(sealed);',
    to: 'const content = JSON.parse(secrets.unseal(sealed)) as CodeMail | Notice;',
    test: 'server/mail/unsealable.test.ts',
    name: 'settled as refused',
  },
];
