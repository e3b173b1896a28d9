/**
 * The rows of windowed posts. Heights belong to row numbers, so a removed post leaves an empty row behind and the rows
 * below keep their heights.
 */
export function windowedRows(before: readonly string[], ids: readonly string[]): readonly string[] {
  const there = new Set(ids);
  const remaining = before.filter((id) => there.has(id));
  const isSameOrder = remaining.length > 0 && remaining.every((id, index) => id === ids[index]);
  if (!isSameOrder) return ids;
  return remaining.length === ids.length ? before : [...before, ...ids.slice(remaining.length)];
}
