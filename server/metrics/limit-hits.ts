import { ApiError } from '../http/api-error.ts';
import { counter, type Metric } from './metric.ts';

/** How often each limit has turned somebody away. */
export class LimitHits {
  #hits = new Map<string, number>();

  note(error: Error): void {
    if (!(error instanceof ApiError) || error.limit === undefined) return;
    this.#hits.set(error.limit, (this.#hits.get(error.limit) ?? 0) + 1);
  }

  metrics(): Metric[] {
    const samples = [...this.#hits].map(([limit, value]) => ({ labels: { limit }, value }));
    return [counter('stena_limits_hit_total', 'Requests answered with 429, by the limit they ran into.', samples)];
  }
}
