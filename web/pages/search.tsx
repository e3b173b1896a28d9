import { addresses } from '#contract/addresses.ts';
import { excerpt } from '#contract/excerpt.ts';
import { limits } from '#contract/limits.ts';
import type { Page } from '../app/router/page.ts';
import type { PostListId } from '../features/posts/store/post-store.ts';
import type { Search } from '../features/search/load-found.ts';
import { onDemand } from '../lib/on-demand.ts';
import { notFound } from './not-found.tsx';
import styles from './search.module.css';

const heading = 'Поиск';
const part = onDemand(() => import('../features/search/search-part.ts'));

/** A field and the posts that match what is in it. */
export const search: Page<object, { search: Search; list?: PostListId }> = {
  address: addresses.search,
  access: 'public',
  load: async (_, request) => (await part.load()).loadFound(request),
  missing: notFound,
  describe(_, shown) {
    const q = shown?.search.q;
    return { heading, ...(q && { title: `${excerpt(q, limits.titleLength)}: поиск` }) };
  },
  Component(shown) {
    const loaded = part.here();
    return loaded && <loaded.SearchResults {...shown} />;
  },
  Frame(props) {
    const loaded = part.here();
    if (loaded) return <loaded.SearchFrame {...props} />;
    return (
      <>
        <div className={styles.field} />
        {props.children}
      </>
    );
  },
  part: 'web/features/search/search-part.ts',
  prefetch: part.load,
};
