/** How long there is to wait: '40 сек.', '5 мин.', '3 ч.', rounded up, so that it is never too early. */
export function waitText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} сек.`;
  if (seconds < 3_600) return `${Math.ceil(seconds / 60)} мин.`;
  return `${Math.ceil(seconds / 3_600)} ч.`;
}
