/** How long there is to wait: '40 сек.', '5 мин.', '3 ч.', rounded up, so that it is never too early. */
export function waitText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} сек.`;
  if (seconds < 3_600) return `${Math.ceil(seconds / 60)} мин.`;
  return `${Math.ceil(seconds / 3_600)} ч.`;
}

const wait = /через (\d+) сек\.$/;

/** The seconds to wait that a text ends with; null where it tells of none, or of minutes. */
export function secondsIn(text: string): number | null {
  const seconds = wait.exec(text)?.[1];
  return seconds === undefined ? null : Number(seconds);
}

/** The same text later. */
export const withSecondsLeft = (text: string, seconds: number): string =>
  text.replace(wait, seconds > 0 ? `через ${waitText(seconds)}` : 'уже сейчас.');
