import { transliterate } from '#contract/profile-text.ts';
import type { Refusal } from '../../limits/refusal.ts';

/** Makes look-alikes equal: 0 and o; 1, l and i; rn and m; vv and w. */
const fold = (name: string): string =>
  name.toLowerCase().replaceAll('0', 'o').replaceAll(/[1l]/g, 'i').replaceAll('rn', 'm').replaceAll('vv', 'w');

/** An expression for a folded word in which letters may be repeated: `modderator` reads like `moderator`. */
const repeatable = (word: string): string =>
  fold(word).replaceAll(/(.)\1*/g, (run, letter) => `${letter}{${run.length},}`);

const anyOf = (words: string): string => words.trim().split(/\s+/).map(repeatable).join('|');

/** Names that collide with paths of the site or mislead readers. */
const reserved = anyOf(`about account accounts admins anonymous api assets auth contact current delete deleted email
  events everyone export feed guest guests health healthz info liked login logins logout manifest me mod myself
  notifications nobody null own password post posts privacy profile readyz register registration registrations replies
  reports robots rules search self server session sessions settings signin signup sitemap suggestions terms undefined user
  username users validation visitor`);

/** Words for the wall and for those who keep it, also together: `root_wall`, `help_desk`. */
const keepers =
  anyOf(`abuse admin administraciya administrator desk help hostmaster mail moderaciya moderation moderator
  moderators news noreply official operator operators owner podderzhka postmaster redakciya report reply root security
  service staff stena support sysadmin system team wall webmaster`);

const keepersOnly = new RegExp(`^(?:${keepers})+$`);
const reservedName = new RegExp(`^(?:${reserved}|(?:${keepers})+)$`);

/** Words for the operators of the wall, forbidden anywhere in a name. `badminton` and `vladminin` remain allowed. */
const roles = new RegExp(
  `(?<!b|vi)${repeatable('admin')}|${anyOf('moderat moderac suport poderzhk poderjk redakc redakt webmaster')}`,
);
/** The same, but only at the beginning of a word: elsewhere they are part of another word, such as `nastena`. */
const roleWords = new RegExp(`(?<![a-z])(?:${anyOf('stena staff moder operator oficial ofitsial sluzhba')})`);

/** Whether a display name, in whatever letters, passes its owner off as somebody who keeps the wall. */
export function readsLikeKeeper(displayName: string): boolean {
  const folded = fold(transliterate(displayName.normalize('NFKD').replaceAll(/\p{M}/gu, '')));
  return keepersOnly.test(folded.replaceAll(/[^a-z]/g, '')) || roles.test(folded) || roleWords.test(folded);
}

/** Underscores and a trailing number make no difference. */
export function isReserved(username: string): boolean {
  const joined = username.replaceAll('_', '');
  if ([joined, joined.replace(/\d+$/, '')].some((name) => reservedName.test(fold(name)))) return true;
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
