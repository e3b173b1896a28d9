import { readFileSync, writeFileSync } from 'node:fs';
import { fail, root } from './project.mjs';

// Makes server/names/confusables.txt from a copy of https://www.unicode.org/Public/security/latest/confusables.txt (the argument).
// The comments at the beginning of the file, with version and license, are kept.

const [source] = process.argv.slice(2);
if (source === undefined) fail('Usage: node scripts/make-confusables.mjs confusables.txt');

const file = `${root}/server/names/confusables.txt`;
/** Characters that get no mapping: those that names lose before it, and emoji. */
const removedFromNames =
  /[\p{C}\p{P}\p{Z}\p{Script=Inherited}\p{Default_Ignorable_Code_Point}\p{Extended_Pictographic}]/u;

const textOf = (codes) => String.fromCodePoint(...codes.split(' ').map((code) => Number.parseInt(code, 16)));

const sources = new Map();
for (const [, from, to] of readFileSync(source, 'utf8').matchAll(/^([\dA-F]+) ;\t([\dA-F ]+) ;\tMA/gm)) {
  const [character, target] = [textOf(from), textOf(to)];
  if (character.normalize('NFKD') !== character || removedFromNames.test(character)) continue;
  sources.set(target, (sources.get(target) ?? '') + character);
}
const [comments] = /^(#.*\n)+/.exec(readFileSync(file, 'utf8'));
const lines = [...sources].map(([target, characters]) => `${target}\t${characters}\n`);
writeFileSync(file, comments + lines.join(''));
