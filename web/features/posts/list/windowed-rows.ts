/**
 * The rows of windowed posts. Heights belong to row numbers, so a removed post leaves an empty row behind and the rows
 * below keep their heights.
 */
export function windowedRows(before: readonly string[], ids: readonly string[]): readonly string[] {
  const there = new Set(ids);
  const remaining = before.filter((id) => there.has(id));
  const first = remaining.length === 0 ? -1 : ids.indexOf(remaining[0]!);
  const isSameOrder = first >= 0 && remaining.every((id, index) => id === ids[first + index]);
  if (!isSameOrder) return ids;
  const isSame = remaining.length === ids.length;
  return isSame ? before : [...ids.slice(0, first), ...before, ...ids.slice(first + remaining.length)];
}
