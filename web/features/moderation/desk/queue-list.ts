import { limits } from '#contract/limits.ts';
import type { ReportedPost } from '#contract/moderation.ts';
import { createObservable } from '../../../lib/observable.ts';
import { createDeskList } from './desk-list.ts';

interface ReportedPage {
  reports: readonly ReportedPost[];
  next: string | null;
  open: number;
  settled: number;
}

type FetchReported = (query: { cursor?: string; limit?: string }) => Promise<ReportedPage>;

/** The posts with open reports, those that have waited longest first. */
export function createQueue(first: ReportedPage, fetchPage: FetchReported) {
  /** How many there are. */
  const open = createObservable(first.open);
  /** How many posts are settled. */
  const settled = createObservable(first.settled);
  /** How many came after the end of the list was loaded. */
  const fresh = createObservable(0);
  const list = createDeskList({ items: first.reports, next: first.next }, async (cursor) => {
    const page = await (cursor === null ? fetchShown() : fetchPage({ cursor }));
    open.set(page.open);
    settled.set(page.settled);
    fresh.set(0);
    return { items: page.reports, next: page.next };
  });

  /** Loads what is shown, and a page more if a response may have that many. */
  function fetchShown(): Promise<ReportedPage> {
    const wanted = list.state.get().items.length + limits.pageSize;
    return fetchPage({ limit: String(Math.min(limits.pageSizeMax, wanted)) });
  }

  /** Loads the list again without what was decided. Resolves to the next post, or else the one before. */
  async function settle(
    post: ReportedPost,
    isSettled: (other: ReportedPost) => boolean,
  ): Promise<ReportedPost | undefined> {
    const { items } = list.state.get();
    const isLeft = (other: ReportedPost) => !isSettled(other);
    const index = items.findIndex(({ post_id: id }) => id === post.post_id);
    const next = items.slice(index).find(isLeft) ?? items.slice(0, index).findLast(isLeft);
    await list.reload();
    // Also if it could not be loaded.
    list.update((all) => all.filter(isLeft));
    return next;
  }

  /** Counts what was reported since. It belongs at the end of the list, where the moderator loads it. */
  async function check(): Promise<void> {
    const before = list.state.get();
    const page = await fetchShown();
    // A page that was requested before a decision still contains what was decided.
    if (list.state.get() !== before) return;
    const shown = new Set(before.items.map(({ post_id: id }) => id));
    open.set(page.open);
    fresh.set(before.next === null ? page.reports.filter(({ post_id: id }) => !shown.has(id)).length : 0);
    if (before.items.length === 0 && fresh.get() > 0) await list.reload();
  }

  return { ...list, open, settled, fresh, settle, check };
}

export type Queue = ReturnType<typeof createQueue>;
