/** Finds a name by typed letters. Letters typed within `clearMs` of each other count together. */
export function createTypeahead(clearMs: number) {
  let typed = '';
  let typedAt = Number.NEGATIVE_INFINITY;

  return {
    isTyping: (at: number): boolean => at - typedAt < clearMs,

    /** Adds a letter and returns the index of the name found, -1 for none. `current` is the active index. */
    type(key: string, { at, names, current }: { at: number; names: readonly string[]; current: number }): number {
      typed = (at - typedAt < clearMs ? typed : '') + key.toLocaleLowerCase();
      typedAt = at;
      return indexOfMatch(typed, names, current);
    },
  };
}

/** A letter that is typed repeatedly cycles through the names that begin with it. Different letters stay at a name that matches. */
function indexOfMatch(typed: string, names: readonly string[], current: number): number {
  const [letter = ''] = typed;
  const cycling = typed === letter.repeat(typed.length);
  const from = cycling ? current + 1 : Math.max(0, current);
  const start = cycling ? letter : typed;
  for (let step = 0; step < names.length; step += 1) {
    const index = (from + step) % names.length;
    if (names[index]?.toLocaleLowerCase().startsWith(start)) return index;
  }
  return -1;
}
