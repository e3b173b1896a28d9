/** The server's time, in unix seconds, at which this page's own steady clock stood at zero. */
let zero = 0;

/** Takes the server's time, in unix seconds, from anything that tells it. The visitor's clock may be hours off and may jump: it is never asked. */
export function setServerTime(seconds: number): void {
  zero = seconds - performance.now() / 1_000;
}

/** Every response of the API carries it. */
export function noteServerTime(date: string | null): void {
  const seconds = Date.parse(date ?? '') / 1_000;
  if (!Number.isNaN(seconds)) setServerTime(seconds);
}

/** Unix seconds on the server's clock, as last told. */
export const serverNow = (): number => zero + performance.now() / 1_000;
