import { transliterate } from '#contract/profile-text.ts';
import { fold, keepersOnly, roles, roleWords } from './account-rules.ts';

/** Letters that look like Latin ones: Cyrillic, Greek, small capitals, and Latin ones that are not a letter with a mark. */
const lookAlikes = new Map(
  Object.entries({
    a: 'аαɑ@ᴀ',
    b: 'вβƅʙ',
    c: 'сϲᴄ',
    d: 'ԁɗđᴅ',
    e: 'еєεᴇ',
    g: 'ɡɢ',
    h: 'нһηʜ',
    i: 'іıιӏɩɪ',
    j: 'јᴊ',
    k: 'кκᴋ',
    l: 'ʟ',
    m: 'мᴍ',
    n: 'пոɴ',
    o: 'оοσөøᴏ',
    p: 'рρᴘ',
    q: 'ԛ',
    r: 'гɾʀ',
    s: 'ѕ$ꜱ',
    t: 'тτŧᴛ',
    u: 'υցսᴜ',
    v: 'ѵνᴠ',
    w: 'ԝωшѡᴡ',
    x: 'хχ',
    y: 'уγүʏ',
    z: 'ᴢ',
  }).flatMap(([latin, others]) => Array.from(others, (each) => [each, latin] as const)),
);

/** Greek letters by their sound. */
const greek = new Map(
  Array.from('αβγδεζηθικλμνξοπρσςτυφχψω', (letter, i) => [
    letter,
    [
      'a',
      'v',
      'g',
      'd',
      'e',
      'z',
      'i',
      't',
      'i',
      'k',
      'l',
      'm',
      'n',
      'x',
      'o',
      'p',
      'r',
      's',
      's',
      't',
      'i',
      'f',
      'h',
      'ps',
      'o',
    ][i]!,
  ]),
);

const lettersOf = (text: string): string => text.replaceAll(/[^a-z]/g, '');

/** A name as it looks and as it sounds, in Latin letters. */
function skeletons(name: string): string[] {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const looks = Array.from(plain, (letter) => lookAlikes.get(letter) ?? letter).join('');
  const sounds = transliterate(
    Array.from(plain, (letter) => greek.get(letter) ?? (/[ı@$]/.test(letter) ? lookAlikes.get(letter)! : letter)).join(
      '',
    ),
  );
  return [looks, sounds].map(fold);
}

const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u];

/** Whether a word has letters of two alphabets that look alike. */
const mixesAlphabets = (name: string): boolean =>
  (name.normalize('NFKC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).some(
    (word) => scripts.filter((script) => script.test(word)).length > 1,
  );

/** Letters that an ending may add to the name of a wall, and the shortest name of which parts are looked for. */
const endingLength = 2;
const shortestRoot = 3;

/** The name of a wall in a name of a person, also with another ending. */
function wallIn(skeleton: string, wall: string): boolean {
  const letters = lettersOf(wall);
  if (letters === '' || lettersOf(skeleton) === letters) return letters !== '';
  const root = letters.replace(/[aeiouy]$/, '');
  if (root.length < shortestRoot) return false;
  const spaced = Array.from(root).join('[^a-z]*');
  return new RegExp(`(?<![a-z])${spaced}[a-z]{0,${endingLength}}(?![a-z])`).test(skeleton);
}

/** Whether a display name, in whatever letters, passes its owner off as somebody who keeps the wall, or as the wall with one of these names. */
function readsLikeKeeper(displayName: string, walls: readonly string[]): boolean {
  const wallSkeletons = walls.flatMap(skeletons);
  return skeletons(displayName).some((skeleton) => {
    const letters = lettersOf(skeleton);
    return (
      keepersOnly.test(letters) ||
      roles.test(letters) ||
      roleWords.test(skeleton) ||
      wallSkeletons.some((wall) => wallIn(skeleton, wall))
    );
  });
}

/** Why nobody but those who keep the wall may have this display name; null if everybody may. */
export function displayNameProblem(displayName: string, walls: readonly string[]): string | null {
  if (mixesAlphabets(displayName)) return 'В одном слове имени смешаны буквы разных алфавитов. Напишите его одним.';
  return readsLikeKeeper(displayName, walls) ? 'Это имя похоже на служебное. Выберите другое.' : null;
}
