import type { ShownRules } from './post-schemas.ts';

/** Seconds between two replies of one person in a slow discussion. */
export const paceSeconds = [60, 300, 1_800] as const;

/** 'один ответ в 5 минут' */
export const paceText = (seconds: number): string =>
  `один ответ в ${seconds === 60 ? 'минуту' : `${seconds / 60} минут`}`;

/** The choices for the whole wall; 0 is no limit. */
export const wallPaces = [0, ...paceSeconds] as const;

export const wallPaceText = (seconds: number): string => (seconds === 0 ? 'без ограничений' : paceText(seconds));

/** The rules of a discussion: columns of its root post that acts of keepers set. */
export interface DiscussionRules {
  /** Seconds between two replies of one person; 0 is no limit. */
  pace: number;
  /** Who has closed the discussion. An author who has closed it can still reply. */
  closed_by: 'keeper' | 'author' | null;
}

/** A new discussion has these rules. */
export const noRules: DiscussionRules = { pace: 0, closed_by: null };

export const ruleColumns = Object.keys(noRules) as Array<keyof DiscussionRules>;

export const repliesClosed = 'Автор запретил новые ответы';

/** The rules of a discussion as the actions of its root post, and live changes, contain them. */
export function shownRules({ pace, closed_by: closedBy }: DiscussionRules): ShownRules {
  if (closedBy === 'author') return { is_closed: true, closed_by: 'author', rule: repliesClosed };
  if (closedBy === 'keeper') return { is_closed: true, rule: 'Новые ответы запрещены' };
  return pace === 0 ? {} : { pace, rule: `Медленный режим: ${paceText(pace)}` };
}
