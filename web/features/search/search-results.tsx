import { memo, type ReactNode, useMemo } from 'react';
import { addresses } from '#contract/addresses.ts';
import { createRequiredContext } from '../../lib/required-context.ts';
import { Notice, type Picture } from '../../ui/notice.tsx';
import type { ShowPart } from '../posts/card/post-text.tsx';
import { PostListItem, type PostListItemProps } from '../posts/list/post-list-item.tsx';
import { PostList } from '../posts/list/post-list.tsx';
import type { Highlight } from '../posts/store/post-list-state.ts';
import type { PostListId } from '../posts/store/post-store.ts';
import { usePost, usePostList } from '../posts/store/use-posts.ts';
import highlightedStyles from './highlighted.module.css';
import type { Search } from './load-search.ts';
import { LivingTalks } from './living-talks.tsx';
import searchHintsStyles from './search-hints.module.css';
import styles from './search-results.module.css';

const hints = [
  ['ёлка', 'и «ёлки», и «елок»: любая форма слова'],
  ['"точная фраза"', 'слова подряд, как написано'],
  ['от:имя', 'записи одного автора, можно и без слов'],
  ['с:2026-01-01', 'не раньше этого дня'],
  ['по:2026-02-01', 'не позже этого дня'],
];

/** Explains what a query may consist of. */
function SearchHints() {
  return (
    <details className={searchHintsStyles.hints}>
      <summary>Как искать</summary>
      <p>Находятся записи и ответы, в которых есть все слова запроса.</p>
      <dl>
        {hints.map(([query, does]) => (
          <div key={query}>
            <dt>
              <code>{query}</code>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Marks the matches, even where a link begins or ends within a match. */
function highlighted(matches: readonly Highlight[]): ShowPart {
  return function showPart(part, at): ReactNode {
    const pieces: ReactNode[] = [];
    let shownTo = 0;
    for (const [start, end] of matches) {
      const from = Math.max(start - at, shownTo);
      const to = Math.min(end - at, part.length);
      if (from >= to) continue;
      pieces.push(
        part.slice(shownTo, from),
        <mark key={from} className={highlightedStyles.match}>
          {part.slice(from, to)}
        </mark>,
      );
      shownTo = to;
    }
    return [...pieces, part.slice(shownTo)];
  };
}

const [FoundListProvider, useFoundList] = createRequiredContext<PostListId>();

const unknownSize = -1;
const none: readonly Highlight[] = [];

/** A post with the words that match the query highlighted. */
const FoundPost = memo(function FoundPost(props: PostListItemProps) {
  const { highlights, next, ids } = usePostList(useFoundList());
  const text = usePost(props.id)?.text;
  const matches = matchesIn(text, highlights?.[props.id] ?? none);
  const showText = useMemo(() => highlighted(matches), [matches]);
  return <PostListItem {...props} setSize={next === null ? ids.length : unknownSize} showText={showText} />;
});

/** The text in which the matches were found. */
const searchedTexts = new WeakMap<readonly Highlight[], string>();

/** The matches in a text, none if it was edited since the search: they would mark other words. */
function matchesIn(text: string | undefined, matches: readonly Highlight[]): readonly Highlight[] {
  if (text === undefined || matches === none) return none;
  if (!searchedTexts.has(matches)) searchedTexts.set(matches, text);
  return searchedTexts.get(matches) === text ? matches : none;
}

interface SearchResultsProps {
  search: Search;
  list?: PostListId;
}

export function SearchResults({ search, list }: SearchResultsProps) {
  const { problem } = search;
  if (list !== undefined) return <FoundPosts {...search} list={list} />;
  if (problem) return <Notice {...problem} picture={lens} action={<SearchHints />} />;
  return (
    <>
      <p className={searchHintsStyles.about}>Ищем в записях и ответах</p>
      <SearchHints />
      <LivingTalks first={search.discussed} />
    </>
  );
}

/** A lens in place of a brick. */
const lens: Picture = [
  'M3 46h34v12H3zM95 46h22v12H95zM3 30h14v12H3zM23 30h12v12H23zM103 30h14v12h-14zM3 14h34v12H3zM85 14h32v12H85z',
  'M78 28a18 18 0 1 1-36 0a18 18 0 1 1 36 0M73 41l14 15',
];

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
    picture: lens,
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
