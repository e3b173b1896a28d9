/**
 * The number behind an id of the contract, which is opaque text to clients; undefined for a malformed one and for one
 * that a double cannot hold exactly, which no post or person has.
 */
export function parseId(id: string): number | undefined {
  const number = /^[1-9][0-9]{0,15}$/.test(id) ? Number(id) : NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}
