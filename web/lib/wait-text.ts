/** A waiting time such as '40 сек.', '5 мин.' or '3 ч.', rounded up so that it is never too short. */
export function waitText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} сек.`;
  if (seconds < 3_600) return `${Math.ceil(seconds / 60)} мин.`;
  return `${Math.ceil(seconds / 3_600)} ч.`;
}

/** The space may be a non-breaking one. */
const wait = /через (\d+)\sсек\.$/;

/** The seconds to wait at the end of a text, null if it ends otherwise, for example with minutes. */
export function secondsIn(text: string): number | null {
  const seconds = wait.exec(text)?.[1];
  return seconds === undefined ? null : Number(seconds);
}

/** The same text with fewer seconds left. */
export const withSecondsLeft = (text: string, seconds: number): string =>
  text.replace(wait, seconds > 0 ? `через ${waitText(seconds)}` : 'уже сейчас.');
