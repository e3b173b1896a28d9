import { count, sum } from '../../measurements/numbers.ts';
import type { Outcome } from '../../kit/ask.ts';

/** How often requests had each outcome. */
export class Responses extends Map<Outcome, number> {
  add(outcome: Outcome, times = 1): void {
    this.set(outcome, (this.get(outcome) ?? 0) + times);
  }

  /** Whether there were responses and all of them had one of these outcomes. */
  areOnly(...allowed: readonly Outcome[]): boolean {
    return this.size > 0 && this.except(...allowed).size === 0;
  }

  except(...outcomes: readonly Outcome[]): Responses {
    return new Responses([...this].filter(([outcome]) => !outcomes.includes(outcome)));
  }

  get total(): number {
    return sum([...this.values()]);
  }

  /** `1,203 × 201, 17 × 503` */
  override toString(): string {
    return [...this].map(([outcome, times]) => `${count(times)} × ${outcome}`).join(', ');
  }
}
