import type { RequestSource } from './requests.ts';

/** Several sources in one, evenly mixed: each has so many parts of the whole. */
export function weighted(sources: ReadonlyArray<{ parts: number; requests: RequestSource }>): RequestSource {
  const left = sources.map(() => 0);
  const whole = sources.reduce((sum, { parts }) => sum + parts, 0);
  return {
    next() {
      // Whoever is owed most comes next.
      sources.forEach(({ parts }, i) => (left[i]! += parts));
      const most = left.indexOf(Math.max(...left));
      left[most]! -= whole;
      return sources[most]!.requests.next();
    },
  };
}
