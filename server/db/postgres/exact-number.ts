/** Reads an INT8. Above 2^53 it would become the id of another row, so the query fails instead, as on SQLite. */
export function exactNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`PostgreSQL has returned ${text}: ids and times must stay below 2^53`);
}
