import type { CallEndpoint } from '#contract/endpoint.ts';
import { searchPosts } from '#contract/search.ts';
import type { ListPage } from './post-list-state.ts';

export interface FoundPage extends ListPage {
  corrected: string | null;
  unknownAuthor: string | null;
}

/** The total is not known. */
export async function fetchFound(
  call: CallEndpoint,
  { q, limit, cursor }: { q: string; limit: string; cursor?: string },
  signal: AbortSignal,
): Promise<FoundPage> {
  const query = { q, limit, ...(cursor !== undefined && { cursor }) };
  const { posts, next, highlights, corrected, unknown_author } = await call(searchPosts, { query, signal });
  return {
    posts,
    next,
    previous: null,
    corrected,
    unknownAuthor: unknown_author,
    firstPage: 1,
    lastPage: 1,
    total: 0,
    highlights: Object.fromEntries(posts.map(({ id }, index) => [id, highlights[index] ?? []])),
  };
}
