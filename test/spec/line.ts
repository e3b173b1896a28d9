/** Where a line is proven. */
export type Place = 'phone' | 'desk' | 'HTTP';

/** A line of the specification, quoted, and where it is checked. */
export interface Line {
  section: string;
  words: string;
  places: readonly Place[];
}

const said =
  (...places: Place[]) =>
  (words: string): Omit<Line, 'section'> => ({ words, places });

export const screen = said('phone', 'desk');
export const phone = said('phone');
export const desk = said('desk');
export const http = said('HTTP');
/** A line without anything that a check could observe. */
export const unsaid = said();

export function lines<Id extends string>(section: string, each: Record<Id, Omit<Line, 'section'>>): Record<Id, Line> {
  const named = Object.entries<Omit<Line, 'section'>>(each).map(([id, line]) => [id, { section, ...line }]);
  return Object.fromEntries(named) as Record<Id, Line>;
}
