import { counter, gauge, type Metric } from './metric.ts';

/** What holds answers in memory, as it tells of itself. */
export interface Held {
  readonly bytes: number;
  readonly entries: number;
  readonly hits: number;
  readonly misses: number;
}

/** Of answers held in memory, by what they show. */
export function heldMetrics(memories: Readonly<Record<string, Held>>): Metric[] {
  const of = (number: keyof Held) =>
    Object.entries(memories).map(([answers, held]) => ({ labels: { answers }, value: held[number] }));
  return [
    gauge('stena_held_bytes', 'What answers held in memory take there.', of('bytes')),
    gauge('stena_held_entries', 'How many answers are held in memory.', of('entries')),
    counter('stena_held_hits_total', 'Requests that found their answer held.', of('hits')),
    counter('stena_held_misses_total', 'Requests whose answer had to be made.', of('misses')),
  ];
}
