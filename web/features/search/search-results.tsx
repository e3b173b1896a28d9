import { addresses } from '#contract/addresses.ts';
import { Notice } from '../../ui/notice.tsx';
import { PostList } from '../posts/list/post-list.tsx';
import type { PostListId } from '../posts/store/post-store.ts';
import { FoundListProvider, FoundPost } from './found-post.tsx';
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

const nothingFound = {
  title: 'Ничего не нашлось',
  text: 'Проверьте запрос или сократите его: запись должна подходить под него целиком.',
};

const noSuchAuthor = (name: string) => ({
  title: 'Такого автора нет',
  text: `На стене нет человека с именем «${name}». Проверьте, как оно пишется.`,
});

function FoundPosts({ list, corrected, unknownAuthor }: Search & { list: PostListId }) {
  const empty = {
    ...(unknownAuthor ? noSuchAuthor(unknownAuthor) : nothingFound),
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
