import { randomInt } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A name until its owner chooses one. */
export const newUsername = (): string =>
  `user_${Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')}`;

/** Look-alikes count as one: 0 and o; 1, l and i; rn and m. */
const fold = (name: string): string =>
  name.toLowerCase().replaceAll('0', 'o').replaceAll(/[1l]/g, 'i').replaceAll('rn', 'm');

/** Names that mislead, or stand where addresses of the wall do. */
const reserved = new Set(
  `about account accounts admin administrator admins anonymous api assets auth contact current delete deleted email
  events everyone export feed guest guests health healthz help info liked login logins logout mail manifest me mod
  moderation moderator moderators myself news nobody notifications null official operator operators own owner password
  post posts privacy profile readyz register registration registrations replies report reports robots root rules search
  security self server service session sessions settings signin signup sitemap staff stena support sysadmin system team
  terms undefined user username users validation visitor wall webmaster administraciya moderaciya podderzhka`
    .split(/\s+/)
    .map(fold),
);

/** Words for those who run the wall, anywhere in a name; but badminton and Vlad Minin are innocent. */
const roles = /(?<!b|vi)admin|moderat|moderac|support|podderzhk|webmaster/;
/** The same, where they begin a word: in the middle of one they are part of another, such as Nastena. */
const roleWords = new RegExp(`(?<![a-z])(?:stena|staff|moder|${fold('operator|official')})`);

/** Underscores and a number at the end do not make it another name. */
export function isReserved(username: string): boolean {
  const joined = username.replaceAll('_', '');
  if ([joined, joined.replace(/\d+$/, '')].some((name) => reserved.has(fold(name)))) return true;
  const folded = fold(username);
  return roles.test(folded) || roleWords.test(folded);
}
