import type { PostListItemProps } from '../posts/list/post-list-item.tsx';
import { usePostStore } from '../posts/store/use-posts.ts';
import { GroupHead, MentionHead } from './group-head.tsx';
import { NotificationCard } from './notification-card.tsx';
import { useNews } from './reading.ts';
import { useGroupPlaces } from './use-groups.ts';

/** A notification in the list, the first of a group with its head. */
export function NotificationItem({ id, position, setSize }: PostListItemProps) {
  const news = useNews();
  const { places, hidden } = useGroupPlaces();
  const { post } = usePostStore();
  const isNew = news.has(id);
  const place = places.get(id);
  if (!place) return null;
  const { ids, isFirst, turns } = place;
  const root = post(id)?.actions.parent_post_id ?? null;
  const fresh = ids.filter((other) => news.has(other)).length;
  return (
    <>
      {isFirst && root === null && <MentionHead post={id} isNew={isNew} />}
      {isFirst && root !== null && <GroupHead root={root} ids={ids} fresh={fresh} />}
      <NotificationCard id={id} position={position} setSize={setSize - hidden} isNew={isNew} turns={turns} />
    </>
  );
}
