import type { PostListId } from '../posts/post-store.ts';

/** How the list of answers stood when it was opened. */
interface Visit {
  newest: string | undefined;
  unread: number;
}

const visits = new Map<PostListId, Visit>();

/** The list's visit goes on when one comes back to it. */
export function visitOf(list: PostListId, now: () => Visit): Visit {
  const known = visits.get(list);
  if (known) return known;
  const visit = now();
  visits.set(list, visit);
  return visit;
}

/** Of a list's answers, the newest first, those that were unread when it was opened or have come since. */
export function newAnswers(ids: readonly string[], { newest, unread }: Visit): ReadonlySet<string> {
  const since = ids.filter((id) => newest === undefined || Number(id) > Number(newest)).length;
  return new Set(ids.slice(0, since + unread));
}
