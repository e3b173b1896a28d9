import { addresses } from '#contract/addresses.ts';
import { excerpt } from '#contract/excerpt.ts';
import { limits } from '#contract/limits.ts';
import type { Page } from '../router/page.ts';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { loadFound, type Search } from '../features/search/load-found.ts';
import { SearchFrame } from '../features/search/search-frame.tsx';
import { SearchResults } from '../features/search/search-results.tsx';
import { notFound } from './not-found.tsx';

const heading = 'Поиск';

/** A field and the posts that match what is in it. */
export const search: Page<object, { search: Search; list?: PostListId }> = {
  address: addresses.search,
  access: 'public',
  load: (_, request) => loadFound(request),
  missing: notFound,
  describe(_, shown) {
    const q = shown?.search.q;
    return { heading, ...(q && { title: `${excerpt(q, limits.titleLength)}: поиск` }) };
  },
  Component: SearchResults,
  Frame: SearchFrame,
};
