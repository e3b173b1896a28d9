/** Seconds between two replies of one person in a slow discussion. */
export const paceSeconds = [60, 300, 1_800] as const;

/** 'один ответ в 5 минут' */
export const paceText = (seconds: number): string =>
  `один ответ в ${seconds === 60 ? 'минуту' : `${seconds / 60} минут`}`;

/** The choices for the whole wall; 0 is no limit. */
export const wallPaces = [0, ...paceSeconds] as const;

export const wallPaceText = (seconds: number): string => (seconds === 0 ? 'без ограничений' : paceText(seconds));

/** The rules for replies, as they are stored with the root post of a discussion. */
export interface ReplyRules {
  /** Seconds between two replies of one person; 0 is no limit. */
  pace: number;
  /** Who has closed the discussion. An author who has closed it can still reply. */
  closed_by: 'keeper' | 'author' | null;
}

/** The rules for replies, as the actions of a root post contain them. */
interface ShownRules {
  is_closed?: true;
  closed_by?: 'author';
  pace?: number;
  rule?: string;
}

export const repliesClosed = 'Автор запретил новые ответы';

export function shownRules({ pace, closed_by: closedBy }: ReplyRules): ShownRules {
  if (closedBy === 'author') return { is_closed: true, closed_by: 'author', rule: repliesClosed };
  if (closedBy === 'keeper') return { is_closed: true, rule: 'Новые ответы запрещены' };
  return pace === 0 ? {} : { pace, rule: `Медленный режим: ${paceText(pace)}` };
}
