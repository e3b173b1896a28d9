/** The first letter of a name. Combined emoji are reduced to their first one. */
export const letterOf = (name: string): string =>
  /[\p{L}\p{N}]\p{M}*|\p{Extended_Pictographic}/u.exec(name)?.[0].toUpperCase() ?? '';

/** One of 16 hues, by Fibonacci hashing: people who came one after the other have different ones. */
export const hueOf = (id: string): number => Math.imul(Number(id), 0x9e3779b1) >>> 28;
