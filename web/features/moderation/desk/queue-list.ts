import { limits } from '#contract/limits.ts';
import type { ReportedPost } from '#contract/moderation.ts';
import { createDeskList, type DeskPage } from './desk-list.ts';

interface ReportedPage {
  reports: readonly ReportedPost[];
  next: string | null;
  /** How many posts have open reports. */
  open: number;
  /** How many posts are settled. */
  settled: number;
}

interface QueueFacts extends Pick<ReportedPage, 'open' | 'settled'> {
  /** How many came after the end of the list was loaded. */
  fresh: number;
}

type FetchReported = (query: { cursor?: string; limit?: string }) => Promise<ReportedPage>;

const asPage = ({ reports, ...page }: ReportedPage): DeskPage<ReportedPost, QueueFacts> => ({
  ...page,
  items: reports,
  fresh: 0,
});

/** The posts with open reports, those that have waited longest first. */
export function createQueue(first: ReportedPage, fetchPage: FetchReported) {
  const list = createDeskList(asPage(first), async (cursor) =>
    asPage(await (cursor === null ? fetchShown() : fetchPage({ cursor }))),
  );

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
    const { reports, open } = await fetchShown();
    // A page that was requested before a decision still contains what was decided.
    if (list.state.get() !== before) return;
    const shown = new Set(before.items.map(({ post_id: id }) => id));
    const fresh = before.next === null ? reports.filter(({ post_id: id }) => !shown.has(id)).length : 0;
    list.update((all) => all, { open, settled: before.settled, fresh });
    if (before.items.length === 0 && fresh > 0) await list.reload();
  }

  return { ...list, settle, check };
}

export type Queue = ReturnType<typeof createQueue>;
