import { mock } from 'node:test';

/** Stops `performance.now`; `pass` moves it. */
export function stoppedClock() {
  let ms = Math.floor(performance.now());
  const now = mock.method(performance, 'now', () => ms);
  return { pass: (more: number) => void (ms += more), [Symbol.dispose]: () => now.mock.restore() };
}
