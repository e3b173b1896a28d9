const latin = `\`qwertyuiop[]asdfghjkl;'zxcvbnm,.`;
const cyrillic = 'ёйцукенгшщзхъфывапролджэячсмитьбю';
const shifted = { latin: '~{}:<>', cyrillic: 'ЁХЪЖБЮ' };

const toCyrillic = new Map<string, string>();
const toLatin = new Map<string, string>();
for (const [i, key] of Array.from(latin).entries()) {
  const letter = cyrillic.charAt(i);
  toCyrillic.set(key, letter);
  toLatin.set(letter, key);
  if (key.toUpperCase() === key) continue;
  toCyrillic.set(key.toUpperCase(), letter.toUpperCase());
  toLatin.set(letter.toUpperCase(), key.toUpperCase());
}
for (const [i, key] of Array.from(shifted.latin).entries()) toCyrillic.set(key, shifted.cyrillic.charAt(i));

/** Operators and tags stay as they are. */
const kept = /^(?:от:|по:|[сc]:|#)/iu;

/** The query as the same keys type it in the other keyboard layout; undefined when it has letters of both, or of neither. */
export function inOtherLayout(query: string): string | undefined {
  const parts = query.split(/(\s+)/u);
  const typed = parts.filter((part) => !kept.test(part)).join('');
  const [hasLatin, hasCyrillic] = [/[a-z]/i.test(typed), /[а-яё]/i.test(typed)];
  if (hasLatin === hasCyrillic) return undefined;
  const keys = hasLatin ? toCyrillic : toLatin;
  return parts
    .map((part) => (kept.test(part) ? part : Array.from(part, (char) => keys.get(char) ?? char).join('')))
    .join('');
}
