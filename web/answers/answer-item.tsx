import { useEffect, useEffectEvent, useRef } from 'react';
import { PostListItem, type PostListItemProps } from '../posts/post-list-item.tsx';
import { useReading } from './reading-context.ts';
import { watchSeen } from './watch-seen.ts';

/** An answer in the list, which is read by being looked at. */
export function AnswerItem(props: PostListItemProps) {
  const { id } = props;
  const { news, isOpen, onSeen } = useReading();
  const box = useRef<HTMLDivElement>(null);
  const isNew = news.has(id);
  const isWatched = isNew && isOpen;
  const see = useEffectEvent(() => onSeen(id));

  useEffect(() => {
    if (!isWatched || !box.current) return undefined;
    return watchSeen(box.current, () => see());
  }, [isWatched]);

  return (
    <div ref={box}>
      <PostListItem {...props} isNew={isNew} />
    </div>
  );
}
