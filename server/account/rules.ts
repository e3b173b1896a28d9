import { randomInt } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A name until its owner chooses one. */
export const newUsername = (): string =>
  `user_${Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')}`;

/** Names that mislead, or stand where addresses of the wall do. */
const reserved = new Set(
  `about account accounts admin administrator admins anonymous api assets auth contact current delete deleted email
  events everyone export feed guest guests health healthz help info liked login logins logout mail manifest me mod
  moderation moderator moderators myself news nobody notifications null official operator operators own owner password
  post posts privacy profile readyz register registration registrations replies report reports robots root rules search
  security self server service session sessions settings signin signup sitemap staff stena support sysadmin system team
  terms undefined user username users validation visitor wall webmaster administraciya moderaciya podderzhka`.split(
    /\s+/,
  ),
);

/** Underscores and a number at the end do not make it another name. */
export function isReserved(username: string): boolean {
  return reserved.has(username.toLowerCase().replaceAll('_', '').replace(/\d+$/, ''));
}
