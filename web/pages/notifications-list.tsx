import { useEffect, useRef } from 'react';
import { addresses } from '#contract/addresses.ts';
import { readNotifications } from '#contract/notifications.ts';
import type { RemovedPost } from '#contract/posts.ts';
import { fetchRemoved, RemovedArea } from '../features/moderation/removed-area.tsx';
import { useMutedAuthors } from '../features/mutes/mutes.ts';
import { NotificationItem } from '../features/notifications/notification-item.tsx';
import { NewsProvider, useReading } from '../features/notifications/reading.ts';
import { GroupsProvider, useGroups } from '../features/notifications/use-groups.ts';
import { PostList } from '../features/posts/list/post-list.tsx';
import { unreadNotifications } from '../features/posts/store/fetch-notifications.ts';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { useLoaded } from '../features/session/use-loaded.ts';
import { call } from '../lib/api.ts';
import { useObservable } from '../lib/observable.ts';
import { serverNow } from '../lib/server-clock.ts';

const empty = {
  title: 'Уведомлений пока нет',
  text: 'Здесь будут ответы на ваши записи, упоминания вашего имени и новое в обсуждениях, за которыми вы следите',
};

const emptyWithoutMuted = {
  title: 'Уведомлений нет',
  text: 'Ответы и упоминания авторов, которых вы решили не показывать, сюда не попадают.',
  action: <a href={addresses.settingsMuted.href()}>Кого вы не показываете</a>,
};

const shownSeconds = 30 * 24 * 3_600;

/** Posts removed lately, with the reasons. Nothing else informs the author: the posts are on no list that others see. */
function RecentRemovals() {
  const { loaded, load } = useLoaded(recentRemovals);
  const unread = useObservable(unreadNotifications);
  const known = useRef(unread);
  useEffect(() => {
    if (unread > known.current) void load();
    known.current = unread;
  }, [unread, load]);
  return loaded.is === 'here' && <RemovedArea posts={loaded.value} />;
}

async function recentRemovals(signal: AbortSignal): Promise<RemovedPost[]> {
  const isRecent = ({ is_new: isNew, removed_at: at }: RemovedPost) => isNew || at > serverNow() - shownSeconds;
  const found = await fetchRemoved(isRecent, signal);
  const newest = found.find(({ is_new: isNew }) => isNew);
  // Without a connection they stay new.
  if (newest && !signal.aborted) void call(readNotifications, { body: { up_to: newest.id } }).catch(() => {});
  return found;
}

export function NotificationsList({ list }: { list: PostListId }) {
  const news = useReading(list);
  const groups = useGroups(list);
  const hidesAuthors = useMutedAuthors().size > 0;
  return (
    <NewsProvider value={news}>
      <GroupsProvider value={groups}>
        <RecentRemovals />
        <PostList
          list={list}
          label="Уведомления"
          empty={hidesAuthors ? emptyWithoutMuted : empty}
          item={NotificationItem}
          rows={groups}
        />
      </GroupsProvider>
    </NewsProvider>
  );
}
