import { shortCount } from '../../../lib/counts.ts';
import { useMutedAuthors } from '../../mutes/mutes.ts';
import { NewPill } from '../list/new-pill.tsx';
import type { PostList } from '../store/post-list-state.ts';
import type { PostListId } from '../store/post-store.ts';
import { usePostList, usePostStore } from '../store/use-posts.ts';
import { unreadReplies } from '../store/thread-tree.ts';

interface NewRepliesProps {
  list: PostListId;
  /** `wanted` returns the new replies that are known at the time. */
  onNext: (wanted: () => string[]) => void;
}

/**
 * A button that goes from one new reply to the next: those that arrive while the page is open, then those that came since
 * the last visit. Replies of muted authors do not count.
 */
export function NewReplies({ list: listId, onNext }: NewRepliesProps) {
  const store = usePostStore();
  const list = usePostList(listId);
  const muted = useMutedAuthors();

  const ownerOf = (id: string) => store.post(id)?.owner.id;
  const arrivedIn = ({ fresh, thread }: PostList): string[] =>
    fresh.filter(({ ownerId }) => !muted.has(ownerId) && ownerId !== thread?.visit?.reader).map(({ id }) => id);
  const unreadIn = ({ thread }: PostList): string[] =>
    thread ? unreadReplies(thread, ownerOf).filter((id) => !muted.has(ownerOf(id)!)) : [];

  const [arrived, unread] = [arrivedIn(list).length, unreadIn(list).length];
  if (arrived + unread === 0) return null;
  const wanted = () => {
    const now = store.list(listId)!;
    return arrived > 0 ? arrivedIn(now) : unreadIn(now);
  };
  const label = arrived > 0 ? `Новые ответы: ${shortCount(arrived)}` : `К следующему новому: ${shortCount(unread)}`;
  return <NewPill label={label} shortcut="U" onClick={() => onNext(wanted)} />;
}
