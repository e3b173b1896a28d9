import { shortCount } from '../../../lib/counts.ts';
import { useMutedAuthors } from '../../mutes/mutes.ts';
import { NewPill } from '../list/new-pill.tsx';
import { Pills } from '../list/pills.tsx';
import type { PostListId } from '../store/post-store.ts';
import { usePostList } from '../store/use-posts.ts';

interface NewRepliesProps {
  list: PostListId;
  onNext: (ids: string[]) => void;
}

/** A button that goes from one new reply to the next. Replies of muted authors do not count. */
export function NewReplies({ list, onNext }: NewRepliesProps) {
  const { fresh } = usePostList(list);
  const muted = useMutedAuthors();
  const ids = fresh.filter(({ ownerId }) => !muted.has(ownerId)).map(({ id }) => id);
  if (ids.length === 0) return null;
  return (
    <Pills>
      <NewPill label={`Новые ответы: ${shortCount(ids.length)}`} shortcut="U" onClick={() => onNext(ids)} />
    </Pills>
  );
}
