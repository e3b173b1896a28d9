import { addresses } from '#contract/addresses.ts';
import { Notice } from '../../ui/notice.tsx';
import { PostList } from '../posts/list/post-list.tsx';
import type { PostListId } from '../posts/store/post-store.ts';
import { FoundListProvider } from './found-list.ts';
import { FoundPost } from './found-post.tsx';
import type { Search } from './load-found.ts';
import { SearchHints } from './search-hints.tsx';
import styles from './search-results.module.css';

interface SearchResultsProps {
  search: Search;
  list?: PostListId;
}

export function SearchResults({ search, list }: SearchResultsProps) {
  const { problem } = search;
  if (list !== undefined) return <FoundPosts {...search} list={list} />;
  return problem ? <Notice {...problem} action={<SearchHints />} /> : <SearchHints />;
}

function FoundPosts({ list, corrected }: Search & { list: PostListId }) {
  const empty = {
    title: 'Ничего не нашлось',
    text: 'Проверьте слова или уберите лишние: в записи должны быть все.',
    action: (
      <>
        {corrected && (
          <p className={styles.corrected}>
            Другая раскладка? <a href={addresses.search.href({}, { q: corrected })}>Искать «{corrected}»</a>
          </p>
        )}
        <SearchHints />
      </>
    ),
  };
  return (
    <FoundListProvider value={list}>
      <PostList list={list} label="Найденное" empty={empty} item={FoundPost} />
    </FoundListProvider>
  );
}
