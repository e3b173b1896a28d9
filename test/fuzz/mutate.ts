import type { Random } from '../../demo/random.ts';

const mostChanges = 6;
const longestRun = 40;

/** Characters that parsers often treat in a special way. */
const odd = [
  ...'\0\t\n\r "\'<>&#@%+-*/\\|=?!.,:;()[]{}^~`_$',
  ...'\u007f\u0085\u00a0\u00ad\u0301\u0483\u200b\u200d\u200e\u202e\u2028\u2066\u2800\u3000\ufe0f\ufeff\uffff',
  ...'0123456789azAZаяАЯёЁßİıſﬁ漢й',
  '\ud800',
  '\udc00',
  '😀',
  '👩‍👩‍👧',
];

/** An input of the pool with a few changes. */
export function mutated(pool: readonly string[], words: readonly string[], random: Random): string {
  let text = random.pick(pool);
  for (let left = 1 + random.below(mostChanges); left > 0; left -= 1) text = changed(text, pool, words, random);
  return text;
}

function changed(text: string, pool: readonly string[], words: readonly string[], random: Random): string {
  const at = random.below(text.length + 1);
  const end = Math.min(text.length, at + random.below(longestRun));
  const [before, run, after] = [text.slice(0, at), text.slice(at, end), text.slice(end)];
  const kind = random.below(6);
  if (kind === 0) return before + after;
  if (kind === 1) return before + random.pick(odd) + text.slice(at);
  if (kind === 2) return before + random.pick(odd) + text.slice(at + 1);
  if (kind === 3) return before + run.repeat(1 + random.below(longestRun)) + after;
  if (kind === 4) return before + random.pick(words) + text.slice(random.chance(0.5) ? at : end);
  const other = random.pick(pool);
  return before + other.slice(random.below(other.length + 1));
}
