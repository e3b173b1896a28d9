/** Spaces at which no line of Russian text may end: after a one-letter word or a number, and before a dash. */
const hanging = / (?:(?<=(?<![\p{L}\p{N}])[а-яё] )(?!\s)|(?<=[\d}] )(?=[а-яё])|(?<=\S )(?=[—–](?:\s|$)))/giu;

/** Makes them non-breaking, for display only. The build does it to our own texts, in which `}` ends a placeholder for a number. */
export const noBreaks = (text: string): string => text.replace(hanging, '\u00a0');
