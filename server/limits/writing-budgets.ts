import type { Budget, Limit } from './budgets.ts';

const minute = 60;
const hour = 3_600;
const day = 24 * hour;

/** How much one person may write. */
export function writingBudgets({ rateLimits }: { rateLimits: boolean }) {
  const of =
    (what: string, ...limits: Limit[]) =>
    (userId: number): Budget => ({ key: `${what} ${userId}`, limits: rateLimits ? limits : [] });

  return {
    posts: of('posts', { count: 5, seconds: minute }, { count: 100, seconds: day }),
    likes: of('likes', { count: 60, seconds: minute }),
    reports: of('reports', { count: 20, seconds: hour }),
    renames: of('renames', { count: 3, seconds: day }),
  };
}
