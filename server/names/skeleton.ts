import { readFileSync } from 'node:fs';
import { displayNameKey } from '#contract/profile-text.ts';

/** Characters, each with the one or the few that it looks like. */
const lookAlikes = new Map(
  readFileSync(new URL('confusables.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => {
      const [target = '', characters = ''] = line.split('\t');
      return Array.from(characters, (character) => [character, target] as const);
    }),
);

/** UTS #39 compares letters as they are written. These look like other ones only as capitals: «ВЕРА» and «BEPA», «Ilya» and «llya». */
const asCapitals: Readonly<Record<string, string>> = { ʙ: 'b', ɜ: '3', ĸ: 'k', ʍ: 'rn', ʜ: 'h', ᴛ: 't', i: 'l' };

/** Spaces, punctuation, signs beside letters, marks on letters, and what is invisible. Marks of other alphabets count on these letters. */
const overlooked =
  /[\p{P}\p{Z}\p{Lm}\p{Sk}\p{Script=Inherited}\p{Default_Ignorable_Code_Point}\u0674]|(?<=[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]\p{M}*)\p{M}/gu;

const mapped = (text: string): string => Array.from(text, (each) => lookAlikes.get(each) ?? each).join('');

/**
 * Names with the same skeleton look alike: the skeleton of UTS #39, also without regard to case, spaces, punctuation and marks. A
 * name of only spaces, punctuation and marks keeps them in its skeleton. A change that gives names other skeletons needs a
 * migration that schedules the job `compare-names`.
 */
export function skeletonOf(name: string): string {
  const folded = displayNameKey(name).normalize('NFD');
  // Some letters, such as the saltillo, look like punctuation.
  const letters = mapped(folded.replace(overlooked, '')).replaceAll(/\p{P}/gu, '');
  return (letters || mapped(folded))
    .toLowerCase()
    .replaceAll(/[ʙɜĸʍʜᴛi]/g, (letter) => asCapitals[letter]!)
    .normalize('NFD');
}
