import { stripVTControlCharacters } from 'node:util';
import { lineOf, type LineId, specification } from './specification.ts';
import type { Place } from './line.ts';

/** Proves lines: they hold in this place if `act` succeeds. A failure is recorded, and the journey goes on. */
export type Check = (ids: LineId | LineId[], act: () => unknown) => Promise<void>;

interface Outcome {
  title: string;
  /** Why the line does not hold. */
  error?: string;
}

/** Records which lines are proven where. */
export class Ledger {
  #proven = new Set<string>();
  #failures = new Map<string, string[]>();

  checkIn(place: Place): Check {
    return async (ids, act) => {
      const keys = [ids].flat().map((id) => keyOf(id, place));
      try {
        await act();
        for (const key of keys) this.#proven.add(key);
      } catch (error) {
        const reason = reasonOf(error as Error);
        for (const key of keys) this.#failures.set(key, [...(this.#failures.get(key) ?? []), reason]);
      }
    };
  }

  /** A line holds if every place that it needs has a check for it and none has failed. */
  outcomes(): Outcome[] {
    return (Object.keys(specification) as LineId[]).map((id) => {
      const { section, words, places } = lineOf(id);
      const reasons = places.flatMap((place) => {
        const key = keyOf(id, place);
        const failures = this.#failures.get(key) ?? (this.#proven.has(key) ? [] : ['no check has proven it']);
        return failures.map((reason) => `on the ${place}: ${reason}`);
      });
      const title = `${section}, ${id}: ${words}`;
      return reasons.length === 0 ? { title } : { title, error: reasons.join('\n') };
    });
  }
}

const keyOf = (id: LineId, place: Place): string => `${id} ${place}`;

/** Without Playwright’s log of what it tried. */
const reasonOf = ({ message }: Error): string =>
  stripVTControlCharacters(message)
    .replace(/\n+Call log:[^]*/, '')
    .trim();
