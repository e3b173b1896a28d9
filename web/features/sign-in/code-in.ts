import { limits } from '#contract/limits.ts';

/** The code in a typed or pasted text: 'код 12-34 56' contains 123456. */
export const codeIn = (text: string): string => text.replace(/\D/g, '').slice(0, limits.codeLength);

export const isWholeCode = (code: string): boolean => code.length === limits.codeLength;
