/** The server's time, in unix seconds, at zero of the page's monotonic clock. */
let zero = 0;

/** Sets the server's time, in unix seconds. The visitor's clock is not used: it may be hours off and may jump. */
export function setServerTime(seconds: number): void {
  zero = seconds - performance.now() / 1_000;
}

/** Sets the server's time from the `Date` header of a response. */
export function noteServerTime(date: string | null): void {
  const seconds = Date.parse(date ?? '') / 1_000;
  if (!Number.isNaN(seconds)) setServerTime(seconds);
}

/** Unix seconds on the server's clock. */
export const serverNow = (): number => zero + performance.now() / 1_000;
