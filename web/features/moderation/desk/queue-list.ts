import type { ReportedPost } from '#contract/moderation.ts';
import { createObservable } from '../../../lib/observable.ts';
import { createDeskList } from './desk-list.ts';

export interface QueueItem {
  post: ReportedPost;
  /** What was decided here, null until then. */
  settled: string | null;
}

interface ReportedPage {
  reports: readonly ReportedPost[];
  next: string | null;
  open: number;
}

/** The posts with open reports, and how many there are. */
export function createQueue(first: ReportedPage, fetchPage: (cursor: string | null) => Promise<ReportedPage>) {
  const open = createObservable(first.open);
  const pageOf = ({ reports, next }: ReportedPage) => ({
    items: reports.map((post): QueueItem => ({ post, settled: null })),
    next,
  });
  const list = createDeskList(pageOf(first), async (cursor) => {
    const page = await fetchPage(cursor);
    open.set(page.open);
    return pageOf(page);
  });

  function settle(postId: string, settled: string | null): void {
    const was = list.state.get().items.find(({ post }) => post.post_id === postId)?.settled;
    if (was === undefined || was === settled) return;
    if (was === null) open.set(Math.max(0, open.get() - 1));
    else if (settled === null) open.set(open.get() + 1);
    list.change((item) => (item.post.post_id === postId ? { ...item, settled } : item));
  }

  function markAuthor(id: string, isBlocked: boolean): void {
    list.change((item) => {
      const { author } = item.post;
      if (author.id !== id) return item;
      return { ...item, post: { ...item.post, author: { ...author, is_blocked: isBlocked } } };
    });
  }

  return { ...list, open, settle, markAuthor };
}

export type Queue = ReturnType<typeof createQueue>;
