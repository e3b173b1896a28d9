import { hash, randomInt } from 'node:crypto';

/** Without letters and digits that look like one another. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const half = 5;

const letters = (count: number): string =>
  Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('');

export const newInviteCode = (): string => `${letters(half)}-${letters(half)}`;

/** What is stored of a code, however it is typed. */
export const inviteHash = (code: string): string =>
  hash('sha256', code.replace(/[\s\p{Pd}]/gu, '').toUpperCase(), 'base64url');
