import type { Sample } from './metric.ts';

/** Counts values by size, for a few fixed sizes. */
export class Histogram {
  #bounds: readonly number[];
  /** One more than bounds: the last is for what is above all of them. */
  #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = [...bounds, Infinity].map(() => 0);
  }

  observe(value: number): void {
    let i = 0;
    while (value > (this.#bounds[i] ?? Infinity)) i += 1;
    this.#counts[i]! += 1;
    this.#sum += value;
  }

  samples(labels: Record<string, string>): Sample[] {
    let count = 0;
    const buckets = this.#counts.map((counted, i): Sample => {
      count += counted;
      return { part: 'bucket', labels: { ...labels, le: String(this.#bounds[i] ?? '+Inf') }, value: count };
    });
    return [...buckets, { part: 'sum', labels, value: this.#sum }, { part: 'count', labels, value: count }];
  }
}
