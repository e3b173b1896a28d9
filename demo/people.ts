import names from './corpus/names.json' with { type: 'json' };
import type { Gender } from './phrase.ts';
import type { Random } from './random.ts';

/** Typing habits, such as omitting the full stop or adding emoji. */
export type Style = 'neat' | 'loose' | 'lowercase' | 'smiling' | 'emoji';

export interface Person {
  username: string;
  displayName: string | null;
  face: string | null;
  email: string;
  gender: Gender;
  style: Style;
}

const styles: readonly Style[] = ['neat', 'neat', 'neat', 'neat', 'loose', 'loose', 'lowercase', 'smiling', 'emoji'];
const towns = ['tuly', 'tveri', 'omska', 'permi', 'kazani', 'samary', 'pskova', 'tomska'];

const faces = '🦊🐻🐼🦉🐙🐢🦔🐝🌵🌻🍄🍋🍓🥑🧀☕🚲⚽🎸📚🎨🚀🌙⭐🔥🌊🐈🐕🦜🐌🍀🫑🥐🎧🗻🧶🪴🎲🦕🐳🍉🥨🪁'.match(
  /\p{Emoji}/gu,
)!;

const { firstNames, nicknames } = names;
const cyrillic: Readonly<Record<string, string>> = names.cyrillic;
/** Masculine forms; most feminine forms end in -a. */
const { surnames } = names;

/** Generates people with unique usernames that are not in `taken` (ASCII lower case). */
export function inventPeople(random: Random, count: number, taken: Iterable<string>): Person[] {
  const used = new Set(taken);
  const shown = new Set<string | null>();
  return Array.from({ length: count }, () => {
    const gender = random.chance(0.5) ? 'm' : 'f';
    let username = nameFor(random, gender);
    while (used.has(username.toLowerCase())) username = nameFor(random, gender);
    const key = username.toLowerCase();
    used.add(key);
    const first = displayNameOf(username, gender);
    const displayName = first !== null && shown.has(first) ? `${first} ${initialOf(username)}` : first;
    shown.add(displayName);
    return {
      username,
      displayName,
      face: faceOf(key),
      email: `demo.${key}@example.org`,
      gender,
      style: random.pick(styles),
    };
  });
}

/** Five in six of the people whose username has a first name or its initial have the name in Cyrillic as display name. */
function displayNameOf(username: string, gender: Gender): string | null {
  const [first = '', ...more] = username.toLowerCase().split(/_|\d/);
  const initial = [first, ...more].find((part) => part.length === 1);
  const named = Object.keys(cyrillic).find((latin) => first.startsWith(latin));
  const name = named ?? firstNames[gender].find((latin) => latin[0] === initial);
  return name === undefined || username.length % 6 === 0 ? null : cyrillic[name]!;
}

const initials: Readonly<Record<string, string>> = Object.fromEntries(
  [...'abvgdezijklmnoprstufhcy'].map((latin, i) => [latin, [...'АБВГДЕЗИЙКЛМНОПРСТУФХЦЯ'][i]!]),
);

/** Distinguishes people with the same first name: the first letter after the first name in the username, or a year. */
function initialOf(username: string): string {
  const [, letter = '', year] = /^[A-Za-z][a-z]+_?(?:iz_)?([A-Za-z]?)[a-z]*_?(\d*)/.exec(username) ?? [];
  return year || `${initials[letter.toLowerCase()] ?? 'М'}.`;
}

/** One in two people has chosen a face. */
function faceOf(key: string): string | null {
  const sum = [...key].reduce((hash, letter) => (hash * 31 + letter.codePointAt(0)!) % 100_003, 7);
  return sum % 2 === 0 ? null : faces[(sum >> 1) % faces.length]!;
}

function nameFor(random: Random, gender: Gender): string {
  const name = random.pick(firstNames[gender]);
  const surname = inflected(random.pick(surnames), gender);
  const nickname = `${random.pick(nicknames[gender].adjectives)}_${random.pick(nicknames[gender].nouns)}`;
  const year = 1958 + random.below(48);
  switch (random.below(9)) {
    case 0:
    case 1:
      return `${name}_${surname}`;
    case 2:
      return capitalized(name) + capitalized(surname);
    case 3:
      return `${surname}_${name[0]}`;
    case 4:
      return `${name[0]}_${surname}${year % 100}`;
    case 5:
      return `${name}${year}`;
    case 6:
      return nickname;
    case 7:
      return `${nickname}_${random.below(100)}`;
    default:
      return `${name}_iz_${random.pick(towns)}`;
  }
}

function inflected(surname: string, gender: Gender): string {
  return gender === 'f' && /(ov|ev|in)$/.test(surname) ? `${surname}a` : surname;
}

function capitalized(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}
