/** Finds among names by what is typed: its letters together as long as they follow each other within `clearMs`. */
export function createTypeahead(clearMs: number) {
  let typed = '';
  let typedAt = Number.NEGATIVE_INFINITY;

  return {
    isTyping: (at: number): boolean => at - typedAt < clearMs,

    /** The place of the name meant once `key` was typed too, -1 for none; `current` is the place one is at. */
    type(key: string, { at, names, current }: { at: number; names: readonly string[]; current: number }): number {
      typed = (at - typedAt < clearMs ? typed : '') + key.toLocaleLowerCase();
      typedAt = at;
      return placeOf(typed, names, current);
    },
  };
}

/** One letter, once or again and again, goes through the names it begins; several stay where they fit. */
function placeOf(typed: string, names: readonly string[], current: number): number {
  const [letter = ''] = typed;
  const cycling = typed === letter.repeat(typed.length);
  const from = cycling ? current + 1 : Math.max(0, current);
  const start = cycling ? letter : typed;
  for (let step = 0; step < names.length; step += 1) {
    const place = (from + step) % names.length;
    if (names[place]?.toLocaleLowerCase().startsWith(start)) return place;
  }
  return -1;
}
