import { namedOnDemand } from '../../../lib/on-demand.ts';
import { fetchPostPage } from '../store/fetch-post-page.ts';
import type { ListPage } from '../store/post-list-state.ts';

/**
 * The rows of windowed posts. Heights belong to row numbers, so a removed post leaves an empty row behind and the rows
 * below keep their heights.
 */
export function windowedRows(before: readonly string[], ids: readonly string[]): readonly string[] {
  const there = new Set(ids);
  const remaining = before.filter((id) => there.has(id));
  const first = remaining.length === 0 ? -1 : ids.indexOf(remaining[0]!);
  const isSameOrder = first >= 0 && remaining.every((id, index) => id === ids[first + index]);
  if (!isSameOrder) return ids;
  const isSame = remaining.length === ids.length;
  return isSame ? before : [...ids.slice(0, first), ...before, ...ids.slice(first + remaining.length)];
}

/** Loaded with the second page: the first one is in normal flow. */
export const windowedPosts = namedOnDemand(() => import('./windowed-posts.tsx'), 'WindowedPosts');

/** Loads a page together with the code for windowing. If the code fails to load, the posts go into normal flow. */
export async function fetchPageToWindow(...page: Parameters<typeof fetchPostPage>): Promise<ListPage> {
  const [posts] = await Promise.all([fetchPostPage(...page), windowedPosts.load().catch(() => {})]);
  return posts;
}
