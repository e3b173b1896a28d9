/** The first letter of a name. Combined emoji are reduced to their first one. */
export const letterOf = (name: string): string =>
  /[\p{L}\p{N}]\p{M}*|\p{Extended_Pictographic}/u.exec(name)?.[0].toUpperCase() ?? '';

/** One of 16 hues, by Fibonacci hashing: people who have registered one after the other have different hues. */
export const hueOf = (id: string): number => Math.imul(Number(id), 0x9e3779b1) >>> 28;
