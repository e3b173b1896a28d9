import { memo, type ReactNode } from 'react';
import { createObservable, useMounted, useObservable } from '../../../lib/observable.ts';
import { type ListKind, PostCard } from '../card/post-card.tsx';
import type { ShowPart } from '../card/post-text.tsx';
import { closedPin } from './closed-pin.ts';
import { useHides } from '../../mutes/mutes.ts';
import { usePost } from '../store/use-posts.ts';

export interface PostListItemProps {
  id: string;
  position: number;
  setSize: number;
  kind: ListKind;
  isNew?: boolean;
  showText?: ShowPart | undefined;
  pinnedId?: string | undefined;
}

/** The line above the post with this id. Code that is loaded later sets it. */
export const lineAbove = createObservable<{ id: string; line: ReactNode } | null>(null);

export const PostListItem = memo(function PostListItem(props: PostListItemProps) {
  const { id, pinnedId, ...shown } = props;
  const post = usePost(id);
  const isMounted = useMounted();
  // The pinned post stands above the list until the reader closes it.
  const isPinned = useObservable(closedPin, (closed) => id === pinnedId && id !== closed);
  const line = useObservable(lineAbove, (it) => it?.id === id && it.line);
  const why = useHides()(post, shown.kind);
  if (!post) return null;
  return (
    <>
      {line}
      {/* The first render repeats the server's HTML, which has the card of the pinned post for readers who have closed it. */}
      {!why && !(isPinned && isMounted) && <PostCard post={post} isPinned={isPinned} {...shown} />}
    </>
  );
});
