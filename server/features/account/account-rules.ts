import type { Refusal } from '../../limits/refusal.ts';

/** Makes look-alikes equal: 0 and o; 1, l and i; rn and m; vv and w. */
export const fold = (name: string): string =>
  name.toLowerCase().replaceAll('0', 'o').replaceAll(/[1l]/g, 'i').replaceAll('rn', 'm').replaceAll('vv', 'w');

/** Digits that stand for letters, besides those that `fold` knows. */
const digits = new Map(Object.entries({ 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' }));

export const withoutDigits = (name: string): string => name.replaceAll(/[34578]/g, (digit) => digits.get(digit)!);

/** An expression for a folded word in which letters may be repeated: `modderator` reads like `moderator`. */
const repeatable = (word: string): string =>
  fold(word).replaceAll(/(.)\1*/g, (run, letter) => `${letter}{${run.length},}`);

const anyOf = (words: string): string => words.trim().split(/\s+/).map(repeatable).join('|');

/** Words for the wall and its keepers, and what the wall writes in place of a name. A name may not consist of them: `root_wall`, `help_desk`. */
const keepers =
  anyOf(`abuse avtorskryt admin administraciya administrator desk help hostmaster komanda mail moderaciya moderation moderator
  moderators modteam news noreply official operator operators owner podderzhka postmaster redakciya report reply root security
  service sisop sistema sistemy sistemnoe soobschenie staff stena support sysadmin sysop system team tehsluzhba uchastnikbezimeni uvedomlenie
  uvedomleniya wall webmaster zapisudalena`);

export const keepersOnly = new RegExp(`^(?:${keepers})+$`);

/** Words for keepers of the wall, forbidden anywhere in a name. `badminton` and `vladminin` remain allowed. */
export const roles = new RegExp(
  `(?<!b|vi)${repeatable('admin')}|${anyOf('moderat moderac suport saport poderzhk poderjk redakc redakt webmaster vladelets vladelec vladelits vladelic vladelts')}`,
);
/** Words forbidden only at the beginning of a word: elsewhere they are part of another word, such as `nastena`. */
export const roleWords = new RegExp(
  `(?<![a-z])(?:${anyOf('stena steni steny staff moder operator oficial ofitsial sluzhba owner keeper founder hozyai hozyay khozyai khozyay osnovatel sozdatel smotritel upravlenie veduschi verifi')}|mods?(?![a-z]))`,
);

const inHours = (seconds: number): string => `через ${Math.ceil(seconds / 3_600)} ч.`;

/** After an undo the address cannot be changed for a while. */
export const addressFrozen = (seconds: number): Refusal => ({
  refused: 'FORBIDDEN',
  message: `Смену адреса недавно отменили. Изменить его снова можно будет ${inHours(seconds)}`,
});

/** The refusal of what a thief who has changed the address could do with the session. `act` begins the sentence about when it is possible. */
export const emailUndoable = (act: string, seconds: number): Refusal => ({
  refused: 'FORBIDDEN',
  message: `Адрес учётной записи недавно меняли, и смену ещё можно отменить. ${act} можно будет ${inHours(seconds)}`,
});

export const lastOwner: Refusal = {
  refused: 'FORBIDDEN',
  message:
    'Вы последний владелец стены, и без вас её некому будет вести. Сначала назначьте другого: «Хозяйство», «Кто ведёт стену».',
};
