import { keeperSignProblem } from '#contract/face.ts';
import { transliterate } from '#contract/profile-text.ts';
import { isGeneratedUsername } from '#contract/username.ts';
import { fold, keepersOnly, roles, roleWords, withoutDigits } from './account-rules.ts';

/**
 * Characters that look like a Latin letter: from confusables.txt (UTS 39, Unicode 13) the alphabets that names may have, and
 * characters that are missing there. Unicode's license: https://www.unicode.org/license.txt
 */
const lookAlikes = new Map(
  Object.entries({
    a: 'аαɑ@ẚ',
    b: 'вβƅʙƀƃɓҍꞴ',
    c: 'сϲȼҫ',
    d: 'ԁɗđÐƌɖ',
    e: 'еєε€ɇҽҿⴹꬲ',
    f: 'ſƒϜքẝꞙꬵ',
    g: 'ɡɢƍǥɠԌ',
    h: 'нһηʜħɦћҢӇӉհⱧ',
    i: 'іıιӏ!¡|ɩɪɨͺ',
    j: 'јɉϳꞲ',
    k: 'кκƙҚҞⱩꝀ',
    l: 'ʟłƗƚǀɫɭוןا١ٳ۱ߊⵏ',
    n: 'пոɴƝƞɳռ',
    o: 'оοσөøɵθօסه٥ھہە۵ۿ߀०০੦૦ଠ୦௦౦೦ഠ൦๐໐ဝ၀ჿዐⴱⵁⵔ〇ꝋꬽꬾ',
    p: 'рρƥ',
    q: 'ԛʠգզⵕ',
    r: 'гɾʀɍɼɽғꭇꭈ',
    s: 'ѕ$ꜱƽʂՏ',
    t: 'тτŧƭƮȾҬ',
    u: 'υցսɄʋሀꞟꭎꭒ',
    v: 'νט٧۷ⴸ',
    w: 'ԝωшɯաꝡ',
    x: 'хχҲⵝꞳ',
    y: 'уγүʏƴɏɣұყỿꭚ',
    z: 'ƶȥʐΖ',
    ae: 'æӕ',
    ll: 'ǁװ',
    oe: 'œ',
    oo: 'ꝏ',
    m: 'мΜϺӍɱ',
  }).flatMap(([latin, others]) => Array.from(others, (each) => [each, latin] as const)),
);

/** Greek letters by their sound. */
const greek = new Map(
  Array.from('αβγδεζηθικλμνξοπρσςτυφχψω', (letter, i) => [letter, 'avgdezitiklmnxoprsstifhpo'[i]!]),
);

const lettersOf = (text: string): string => text.replaceAll(/[^a-z]/g, '');

const inLatin = (letter: string): string =>
  lookAlikes.get(letter) ?? lookAlikes.get(letter.toLowerCase()) ?? letter.toLowerCase();

/** Spellings of a name in Latin letters: by look and by sound, each with digits kept and with digits read as letters. */
function skeletons(name: string): string[] {
  const plain = Array.from(name.normalize('NFKD').replaceAll(/\p{M}/gu, ''));
  const looks = plain.map(inLatin).join('');
  const heard = plain.map((letter) => {
    const small = letter.toLowerCase();
    return greek.get(small) ?? (/[а-яёіїєґ]/.test(small) ? small : inLatin(letter));
  });
  const sounds = transliterate(heard.join(''));
  return [looks, sounds, withoutDigits(looks), withoutDigits(sounds)].map(fold);
}

const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u];

/**
 * Letters used only because they look like others: scripts in which nobody on a Russian wall writes, letters that Russian no
 * longer has, and squared, circled, mathematical and phonetic letters.
 */
const onlyLookAlike =
  /[\p{Script=Cherokee}\p{Script=Canadian_Aboriginal}\p{Script=Lisu}\p{Script=Coptic}\p{Script=Deseret}\p{Script=Warang_Citi}\p{Script=Old_Italic}\p{Script=Lycian}\p{Script=Lydian}\p{Script=Carian}\p{Script=Elbasan}\p{Script=Gothic}\p{Script=Runic}\p{Script=Miao}\p{Script=Osage}\u0460-\u0489\u1c80-\u1c8f\u1d00-\u1dbf\u2100-\u2115\u2117-\u2121\u2123-\u214f\u2460-\u24ff\u2de0-\u2dff\ua640-\ua69f\uff21-\uff5a\u{1d400}-\u{1d7ff}\u{1f100}-\u{1f189}]/u;

/** Whether a word has letters of more than one of these alphabets. */
const mixesAlphabets = (name: string): boolean =>
  (name.normalize('NFKC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).some(
    (word) => scripts.filter((script) => script.test(word)).length > 1,
  );

/** An ending may add this many letters to the stem of a wall's name. A shorter stem than `shortestRoot` is not looked for. */
const endingLength = 2;
const shortestRoot = 3;

/** Whether the name of a person contains the name of a wall, possibly with another ending. */
function wallIn(skeleton: string, wall: string): boolean {
  const letters = lettersOf(wall);
  if (letters === '' || lettersOf(skeleton) === letters) return letters !== '';
  const root = letters.replace(/[aeiouy]$/, '');
  if (root.length < shortestRoot) return false;
  const spaced = Array.from(root).join('[^a-z]*');
  return new RegExp(`(?<![a-z])${spaced}[a-z]{0,${endingLength}}(?![a-z])`).test(skeleton);
}

/** Whether a display name looks like that of a keeper, or like one of these names of the wall, in whatever letters. */
function readsLikeKeeper(displayName: string, wallNames: readonly string[]): boolean {
  const wallSkeletons = wallNames.flatMap(skeletons);
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

/**
 * Whether nobody may take a username. For `keepersOnly` and the names of the wall, underscores and a trailing number are ignored. A name that looks like a generated one is reserved too.
 */
export function isReserved(username: string, wallNames: readonly string[]): boolean {
  if (isGeneratedUsername(username.toLowerCase())) return true;
  const ofWall = new Set(wallNames.flatMap(skeletons).map(lettersOf).filter(Boolean));
  const spellings = [username, username.replace(/\d+$/, '')].flatMap(skeletons);
  if (spellings.some((spelling) => ofWall.has(lettersOf(spelling)))) return true;
  return [username, withoutDigits(username)].some((name) => {
    const joined = name.replaceAll('_', '');
    if ([joined, joined.replace(/\d+$/, '')].some((each) => keepersOnly.test(fold(each)))) return true;
    const folded = fold(name);
    return roles.test(folded) || roleWords.test(folded);
  });
}

/** Why a member must not have this display name; null if it is allowed. */
export function displayNameProblem(displayName: string, wallNames: readonly string[]): string | null {
  const odd = onlyLookAlike.exec(displayName);
  if (odd) return `Знак «${odd[0]}» в имени только похож на букву. Напишите обычную.`;
  if (mixesAlphabets(displayName)) return 'В одном слове имени смешаны буквы разных алфавитов. Напишите его одним.';
  if (readsLikeKeeper(displayName, wallNames)) return 'Это имя похоже на служебное. Выберите другое.';
  return keeperSignProblem(displayName);
}
