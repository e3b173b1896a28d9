import { addresses } from '#contract/addresses.ts';
import { excerpt } from '#contract/text-parts.ts';
import { limits } from '#contract/limits.ts';
import type { PostListId } from '../features/posts/store/post-store.ts';
// The first load contains the styles of the search: the server's HTML of the results has no others.
import '../features/search/highlighted.module.css';
import '../features/search/living-talks.module.css';
import type { Search } from '../features/search/load-search.ts';
import type { SearchFrameProps } from '../features/search/search-frame.tsx';
import '../features/search/search-hints.module.css';
import '../features/search/search-results.module.css';
import { onDemand, useOnDemand } from '../lib/on-demand.ts';
import type { Page } from '../router/page.ts';
import '../ui/form-field.module.css';
import '../ui/search-form.module.css';
import { notFound } from './not-found.tsx';

const heading = 'Поиск';

/** The search field and the results. Their code is not part of the first load. */
const part = onDemand(async () => {
  const [{ loadSearch }, { SearchFrame }, { SearchResults }] = await Promise.all([
    import('../features/search/load-search.ts'),
    import('../features/search/search-frame.tsx'),
    import('../features/search/search-results.tsx'),
  ]);
  return { loadSearch, SearchFrame, SearchResults };
});

function Frame(props: SearchFrameProps) {
  const { thing } = useOnDemand(part, true);
  return thing ? <thing.SearchFrame {...props} /> : props.children;
}

/** The search field and the posts that match the query. */
export const search: Page<object, { search: Search; list?: PostListId }> = {
  address: addresses.search,
  access: 'public',
  load: async (_, request) => (await part.load()).loadSearch(request),
  missing: notFound,
  describe(_, shown) {
    const q = shown?.search.q;
    return { heading, ...(q && { title: `${excerpt(q, limits.titleLength)}: поиск` }) };
  },
  Component(props) {
    const { SearchResults } = part.here()!;
    return <SearchResults {...props} />;
  },
  Frame,
  prefetch: part.load,
};
