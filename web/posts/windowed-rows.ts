/**
 * The rows of windowed posts. Rows are measured by their places, so a post that goes leaves an empty one behind: those
 * below keep theirs, and nothing jumps.
 */
export function windowedRows(before: readonly string[], ids: readonly string[]): readonly string[] {
  const there = new Set(ids);
  const kept = before.filter((id) => there.has(id));
  const isSameOrder = kept.length > 0 && kept.every((id, index) => id === ids[index]);
  if (!isSameOrder) return ids;
  return kept.length === ids.length ? before : [...before, ...ids.slice(kept.length)];
}
