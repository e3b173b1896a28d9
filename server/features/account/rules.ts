import type { Refusal } from '../../limits/budgets.ts';

/** Makes look-alikes equal: 0 and o; 1, l and i; rn and m. */
const fold = (name: string): string =>
  name.toLowerCase().replaceAll('0', 'o').replaceAll(/[1l]/g, 'i').replaceAll('rn', 'm');

/** Names that mislead readers or collide with paths of the site. */
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

/** Words for the operators of the wall, forbidden anywhere in a name. `badminton` and `vladminin` remain allowed. */
const roles = /(?<!b|vi)admin|moderat|moderac|support|podderzhk|webmaster/;
/** The same, but only at the beginning of a word: elsewhere they are part of another word, such as `nastena`. */
const roleWords = new RegExp(`(?<![a-z])(?:stena|staff|moder|${fold('operator|official')})`);

/** Underscores and a trailing number make no difference. */
export function isReserved(username: string): boolean {
  const joined = username.replaceAll('_', '');
  if ([joined, joined.replace(/\d+$/, '')].some((name) => reserved.has(fold(name)))) return true;
  const folded = fold(username);
  return roles.test(folded) || roleWords.test(folded);
}

const inHours = (seconds: number): string => `через ${Math.ceil(seconds / 3_600)} ч.`;

/** After an undo the address cannot be changed for a while. */
export const addressFrozen = (seconds: number): Refusal => ({
  refused: 'FORBIDDEN',
  message: `Смену адреса недавно отменили. Изменить его снова можно будет ${inHours(seconds)}`,
});

/** An account cannot be deleted while a change of its address can be undone: somebody may have taken it over. */
export const emailUndoable = (seconds: number): Refusal => ({
  refused: 'FORBIDDEN',
  message: `Адрес учётной записи недавно меняли, и смену ещё можно отменить. Удалить учётную запись можно будет ${inHours(seconds)}`,
});
