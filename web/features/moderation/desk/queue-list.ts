import type { ReportedPost } from '#contract/moderation.ts';
import { createObservable } from '../../../lib/observable.ts';
import { alreadyDone } from './act.ts';
import { createDeskList } from './desk-list.ts';

export interface QueueItem {
  post: ReportedPost;
  /** What was decided; null until then. */
  settled: Settled | null;
}

export interface Settled {
  text: string;
  /** The act in the journal, if it can be taken back here. */
  actId: string | null;
}

interface ReportedPage {
  reports: readonly ReportedPost[];
  next: string | null;
  open: number;
}

interface ReportedQuery {
  state?: 'all';
  cursor?: string;
  limit?: string;
}

/** A response has at most this many posts. */
const mostPerPage = 50;

/** The posts with open reports, and how many there are. */
export function createQueue(first: ReportedPage, fetchPage: (query: ReportedQuery) => Promise<ReportedPage>) {
  const open = createObservable(first.open);
  /** Posts that were reported after the end of the list was loaded. */
  const fresh = createObservable<readonly ReportedPost[]>([]);
  const itemsOf = (reports: readonly ReportedPost[]) => reports.map((post): QueueItem => ({ post, settled: null }));
  const list = createDeskList({ items: itemsOf(first.reports), next: first.next }, async (cursor) => {
    const page = await fetchPage(cursor === null ? {} : { cursor });
    open.set(page.open);
    fresh.set([]);
    return { items: itemsOf(page.reports), next: page.next };
  });
  let decisions = 0;
  let seen: string | undefined;

  function settle(postId: string, settled: Settled | null): void {
    const was = list.state.get().items.find(({ post }) => post.post_id === postId)?.settled;
    if (was === undefined || was?.text === settled?.text) return;
    decisions += 1;
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

  /**
   * Looks for new reports and for what others have settled. What may not change now, because somebody is about to touch it,
   * changes at a later check. The first request is small, the second is only made after a change.
   */
  async function check(mayChange: (postId?: string) => boolean, collapse: typeof settle): Promise<void> {
    const decisionsBefore = decisions;
    const newest = await fetchPage({ state: 'all', limit: '1' });
    const sign = signOf(newest);
    if (sign === seen) return;
    const waiting = list.state.get().items.filter(({ settled }) => settled === null);
    const page = await fetchPage({ limit: String(Math.min(mostPerPage, waiting.length + 10)) });
    const { items, next, loading } = list.state.get();
    // A page that was requested before a decision still contains what was decided.
    if (decisions !== decisionsBefore || loading || !mayChange()) return;

    const stillOpen = new Set(page.reports.map(({ post_id: id }) => id));
    // A page that ends within the list says nothing about the posts after it.
    const end =
      page.next === null ? -1 : waiting.findIndex(({ post }) => post.post_id === page.reports.at(-1)?.post_id);
    const covered = end === -1 ? waiting : waiting.slice(0, end);
    const settledElsewhere = covered.filter(({ post }) => !stillOpen.has(post.post_id));
    const changeable = settledElsewhere.filter(({ post }) => mayChange(post.post_id));
    for (const { post } of changeable) collapse(post.post_id, { text: alreadyDone, actId: null });
    open.set(page.open);
    if (changeable.length === settledElsewhere.length) seen = sign;

    const listed = new Set(waiting.map(({ post }) => post.post_id));
    fresh.set(next === null ? page.reports.filter(({ post_id: id }) => !listed.has(id)) : []);
    if (items.length === 0) showFresh();
  }

  /** Adds the new posts at the end, where they belong: those that have waited longest come first. */
  function showFresh(): void {
    const added = fresh.get();
    fresh.set([]);
    const ids = new Set(added.map(({ post_id: id }) => id));
    list.append(itemsOf(added), ({ post }) => !ids.has(post.post_id));
  }

  return { ...list, open, fresh, settle, markAuthor, check, showFresh };
}

/** Differs after a new report, and after a decision about the last one of a post. */
const signOf = ({ open, reports: [newest] }: ReportedPage): string =>
  JSON.stringify([open, newest?.post_id, newest?.open, newest?.reports[0]?.at]);

export type Queue = ReturnType<typeof createQueue>;
