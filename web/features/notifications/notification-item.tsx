import { useEffect, useEffectEvent, useRef } from 'react';
import { PostListItem, type PostListItemProps } from '../posts/list/post-list-item.tsx';
import { useReading } from './reading.ts';
import { watchSeen } from './watch-seen.ts';

/** A notification in the list. It is read when it has been on screen for a moment. */
export function NotificationItem(props: PostListItemProps) {
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
