import { randomInt } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A name until its owner chooses one. */
export const newUsername = (): string =>
  `user_${Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')}`;
