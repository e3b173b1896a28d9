/** The server's time, in unix seconds, at which this page's own steady clock stood at zero. */
let zero = 0;

/** Every answer tells the server's time. The visitor's clock may be hours off and may jump: it is never asked. */
export function noteServerTime(date: string | null): void {
  const seconds = Date.parse(date ?? '') / 1_000;
  if (!Number.isNaN(seconds)) zero = seconds - performance.now() / 1_000;
}

/** Unix seconds on the server's clock, as its last answer told them. */
export const serverNow = (): number => zero + performance.now() / 1_000;
