/** The middle value: a round that something else on the machine disturbed does not count. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The smallest value that is not exceeded by this share of the values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const count = (n: number): string => Math.round(n).toLocaleString('en');

export const milliseconds = (ms: number): string => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

export const kilobytes = (bytes: number): string => `${(bytes / 1e3).toFixed(1)} kB`;

export const times = (value: number): string => `${value.toFixed(2)} ×`;

/** Whole from a hundred on; smaller numbers with three digits. */
export const threeDigits = (value: number): string =>
  value >= 100 ? count(value) : value.toFixed(value >= 10 ? 1 : value >= 1 ? 2 : 3);

export const microseconds = (value: number): string => `${value.toFixed(1)} µs`;
