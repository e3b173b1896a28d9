import type { BudgetName } from '#contract/call.ts';
import type { Database } from '../db/database.ts';
import type { Budget, Limit, Refill } from './budgets.ts';

const minute = 60;
const hour = 3_600;
const day = 24 * hour;

/** Nobody writes faster than this by hand. */
const refill: Refill = { atOnce: 40, everySeconds: 10 };

/** The dependencies of the routes of calls with these budgets. */
export interface WritingOptions {
  db: Database;
  config: { rateLimits: boolean };
  /** Unix seconds. */
  now: () => number;
}

/** Budgets of one person for calls that write or that reveal something about others. */
export function writingBudgets({ rateLimits }: { rateLimits: boolean }) {
  const of =
    (what: string, ...limits: Limit[]) =>
    (userId: number): Budget => ({ key: `${what} ${userId}`, limits: rateLimits ? limits : [] });
  const written =
    (what: string) =>
    (userId: number): Budget => ({ ...of(what, { count: 1_000, seconds: day })(userId), refill });

  return {
    posts: written('posts'),
    edits: written('edits'),
    deletions: of('deletions', { count: 60, seconds: minute }),
    restorations: of('restorations', { count: 60, seconds: minute }),
    likes: of('likes', { count: 60, seconds: minute }),
    unlikes: of('unlikes', { count: 60, seconds: minute }),
    mutes: of('mutes', { count: 60, seconds: minute }),
    bookmarks: of('bookmarks', { count: 60, seconds: minute }),
    follows: of('follows', { count: 60, seconds: minute }),
    settings: of('settings', { count: 60, seconds: minute }),
    // An open page writes the positions of its reader six times a minute at most, even if it is hidden more often.
    readings: of('readings', { count: 60, seconds: minute }),
    nameChecks: of('name-checks', { count: 60, seconds: minute }, { count: 600, seconds: day }),
    suggestions: of('suggestions', { count: 60, seconds: minute }),
    profiles: of('profiles', { count: 10, seconds: minute }, { count: 50, seconds: day }),
    exports: of('exports', { count: 5, seconds: hour }),
    carries: of('carries', { count: 2, seconds: day }),
    reports: of('reports', { count: 40, seconds: hour }),
    renames: of('renames', { count: 10, seconds: day }),
    // No moderator acts faster by hand: more acts come from a script with a moderator's session.
    acts: of('acts', { count: 30, seconds: minute }, { count: 300, seconds: day }),
    // A wrong approval does little harm: a pending post is published without it after some hours.
    approvals: of('approvals', { count: 60, seconds: minute }, { count: 1_000, seconds: day }),
    // Undos have a budget of their own, so that the last allowed act can be undone.
    undos: of('undos', { count: 30, seconds: minute }, { count: 300, seconds: day }),
  } satisfies Record<BudgetName, (userId: number) => Budget>;
}
