/** Seconds between two replies of one person in a slow discussion. */
export const paceSeconds = [60, 300, 1_800] as const;

/** The pace of a discussion in which nobody may reply any more. */
export const closed = -1;

/**
 * The pace of a discussion that the author of its root has closed to others, which contains the pace from before; and from it
 * that pace again.
 */
export const closedByAuthor = (pace: number): number => closed - 1 - pace;

export const isClosedByAuthor = (pace: number): boolean => pace < closed;

/** 'один ответ в 5 минут' */
export const paceText = (seconds: number): string =>
  `один ответ в ${seconds === 60 ? 'минуту' : `${seconds / 60} минут`}`;

/** Off, or one of the paces: what is chosen for the whole wall. */
export const wallPaces = [0, ...paceSeconds] as const;

/** How a choice of them reads. */
export const wallPaceText = (seconds: number): string => (seconds === 0 ? 'без ограничений' : paceText(seconds));

/** A root post says this about the replies in its discussion. */
export interface Rule {
  is_closed?: true;
  closed_by?: 'author';
  pace?: number;
  rule?: string;
}

export const repliesClosed = 'Автор запретил новые ответы';

export function ruleOf(pace: number): Rule {
  if (pace === 0) return {};
  if (isClosedByAuthor(pace)) return { is_closed: true, closed_by: 'author', rule: repliesClosed };
  if (pace === closed) return { is_closed: true, rule: 'Новые ответы запрещены' };
  return { pace, rule: `Медленный режим: ${paceText(pace)}` };
}
