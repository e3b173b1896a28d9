import { stemmer as englishStem } from '@orama/stemmers/english';
import { stemmer as russianStem } from '@orama/stemmers/russian';

// Two words are the same to the search when they have the same stem. The Snowball stems of a Russian word differ between
// its forms more often than those of an English one; the rules below bring most of them together. All of them expect
// lower case and е for ё. docs/decisions/0039-search.md has the measurements.

/** Endings that only verbs have, and that Snowball leaves in place. */
const verbForms = [
  // рисовать, рисовала, рисованный and рисует, рисуют: what is left is рис.
  /^(.{3,}?)[ое]ва(?:ть|л[аои]?|в|вши|нн?[а-я]*)(?:ся|сь)?$/,
  /^(.{3,}?)[ую](?:ешь|ет|ем|ете|ют|й|йте|я)(?:ся|сь)?$/,
  // умеет, умеют, умеешь
  /^(.{3,}?|ум)е(?:ешь|ет|ют|ете)(?:ся|сь)?$/,
  /^(.{2,})(?:ешь|еть)(?:ся)?$/,
  /^(.{2,})(?:ет|ут|ют|ат|ят)ся$/,
  // пишет, скажут, держат; not бюджет, which is a noun
  /^(?!бюджет|сюжет|манжет|планшет|рикошет)(.+[жш])(?:ет|ете|ут|ат)$/,
  /^(.*(?:ид|йд|ед|жив|нес|вез|раст|зов|йм|зьм|бер|буд|стан|верн|начн|хоч|ищ|кро|жд|бег|уч))(?:ет|ете|ут|ат)$/,
  // смотрел, хотела: many nouns end like verbs in -еть, so these are named
  /^(.*(?:смотр|вид|сид|лет|хот|терп|гор|бол|висе|гляд|шум|им|ум))ел[аои]?$/,
];

/** Stems of frequent irregular words, by the stem of another form. */
const irregular = new Map(
  Object.entries({
    дня: 'ден',
    дню: 'ден',
    дне: 'ден',
    дни: 'ден',
    дням: 'ден',
    днях: 'ден',
    днем: 'ден',
    друз: 'друг',
    сынв: 'сын',
    времн: 'врем',
    имн: 'им',
    дочр: 'доч',
    матр: 'мат',
    лжи: 'лож',
    пекар: 'пекарн',
    виш: 'вишн',
    шел: 'ид',
    шла: 'ид',
    шло: 'ид',
    шли: 'ид',
    идт: 'ид',
    пойт: 'пойд',
    пошл: 'пойд',
    пришл: 'прид',
    прийт: 'прид',
    нашл: 'найд',
    найт: 'найд',
    могл: 'мог',
    мож: 'мог',
    хоч: 'хот',
    ищ: 'иск',
    жит: 'жив',
    жил: 'жив',
    еха: 'ед',
    приех: 'приед',
    поех: 'поед',
    взят: 'возм',
    взял: 'возм',
    взя: 'возм',
    пон: 'пойм',
    хож: 'ход',
    нахож: 'наход',
    виж: 'вид',
    увиж: 'увид',
    сиж: 'сид',
    нош: 'нос',
    прош: 'прос',
    беж: 'бег',
    встреч: 'встрет',
  }),
);

/** The last consonant of a stem that changes in the forms of a verb: пишу and писать, скажу and сказать. */
const changed = /^(.*)(пиш|каж)$/;
const unchanged: Record<string, string> = { пиш: 'пис', каж: 'каз' };

/** The stem of a folded word. Only the letters decide which language it is taken for. */
export function stem(word: string): string {
  if (/^[а-я]+$/.test(word)) return russian(word);
  return /^[a-z]+$/.test(word) ? englishStem(word) : word;
}

function russian(word: string): string {
  for (const form of verbForms) {
    const [, beginning] = form.exec(word) ?? [];
    if (beginning !== undefined) return unifyStem(beginning);
  }
  return unifyStem(word.endsWith('ьми') && word.length > 5 ? word.slice(0, -3) : russianStem(word));
}

/** Brings the stems together that Snowball makes of the forms of one word. */
function unifyStem(snowball: string): string {
  const unified = snowball
    // музе- of музея and муз- of музей
    .replace(/^(.{3,}?)[аеиоуыэюяйь]+$/, '$1')
    // скамеек and скамейка
    .replace(/([аеиоуя])ек$/, '$1йк')
    // пальца, деньги
    .replace(/ь([бвгджзклмнпрстфхцчшщ])$/, '$1')
    // ёлок and ёлка, отец and отца: the last vowel of a stem comes and goes
    .replace(/^(.*[аеиоуыэюя].*[^аеиоуыэюяй])[ое]([вгклнрц])$/, '$1$2')
    // люблю and любит
    .replace(/^(.{2,}[бвмпф])л$/, '$1');
  const [, before = '', consonant] = changed.exec(unified) ?? [];
  return consonant === undefined ? (irregular.get(unified) ?? unified) : before + unchanged[consonant]!;
}
