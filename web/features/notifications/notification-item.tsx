import { useEffect, useEffectEvent, useRef } from 'react';
import type { PostListItemProps } from '../posts/list/post-list-item.tsx';
import { usePostStore } from '../posts/store/use-posts.ts';
import { GroupHead, MentionHead } from './group-head.tsx';
import { NotificationCard } from './notification-card.tsx';
import { useReading } from './reading.ts';
import { useGroupPlaces } from './use-groups.ts';
import { watchSeen } from './watch-seen.ts';

/** A notification in the list, the first of a group with its head. It is read when it has been on screen for a moment. */
export function NotificationItem({ id, position, setSize }: PostListItemProps) {
  const { news, isOpen, onSeen } = useReading();
  const { places, hidden } = useGroupPlaces();
  const { post } = usePostStore();
  const box = useRef<HTMLDivElement>(null);
  const isNew = news.has(id);
  const isWatched = isNew && isOpen;
  const see = useEffectEvent(() => onSeen(id));

  useEffect(() => {
    if (!isWatched || !box.current) return undefined;
    return watchSeen(box.current, () => see());
  }, [isWatched]);

  const place = places.get(id);
  if (!place) return null;
  const { ids, isFirst, turns } = place;
  const root = post(id)?.actions.parent_post_id ?? null;
  const fresh = ids.filter((other) => news.has(other)).length;
  return (
    <>
      {isFirst && root === null && <MentionHead post={id} isNew={isNew} />}
      {isFirst && root !== null && <GroupHead root={root} ids={ids} fresh={fresh} />}
      <div ref={box}>
        <NotificationCard id={id} position={position} setSize={setSize - hidden} isNew={isNew} turns={turns} />
      </div>
    </>
  );
}
