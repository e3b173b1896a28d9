import { memo, useMemo } from 'react';
import { PostListItem, type PostListItemProps } from '../posts/list/post-list-item.tsx';
import type { Highlight } from '../posts/store/post-list-state.ts';
import { usePost, usePostList } from '../posts/store/use-posts.ts';
import { highlighted } from './highlighted.tsx';
import { createRequiredContext } from '../../lib/required-context.ts';
import type { PostListId } from '../posts/store/post-store.ts';

/** The list of results. */
const [FoundListProvider, useFoundList] = createRequiredContext<PostListId>();

export { FoundListProvider };

const unknownSize = -1;
const none: readonly Highlight[] = [];

/** A post with the words that match the query highlighted. */
export const FoundPost = memo(function FoundPost(props: PostListItemProps) {
  const { highlights, next, ids } = usePostList(useFoundList());
  const text = usePost(props.id)?.text;
  const matches = matchesIn(text, highlights?.[props.id] ?? none);
  const showText = useMemo(() => highlighted(matches), [matches]);
  return <PostListItem {...props} setSize={next === null ? ids.length : unknownSize} showText={showText} />;
});

/** The text in which the matches were found. */
const searchedTexts = new WeakMap<readonly Highlight[], string>();

/** A text that was edited since the search has other words at these places. */
function matchesIn(text: string | undefined, matches: readonly Highlight[]): readonly Highlight[] {
  if (text === undefined || matches === none) return none;
  if (!searchedTexts.has(matches)) searchedTexts.set(matches, text);
  return searchedTexts.get(matches) === text ? matches : none;
}
