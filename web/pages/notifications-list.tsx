import { NotificationItem } from '../features/notifications/notification-item.tsx';
import { NewsProvider, useReading } from '../features/notifications/reading.ts';
import { GroupsProvider, useGroups } from '../features/notifications/use-groups.ts';
import { PostList } from '../features/posts/list/post-list.tsx';
import type { PostListId } from '../features/posts/store/post-store.ts';

const empty = {
  title: 'Уведомлений пока нет',
  text: 'Здесь будут ответы на ваши записи, упоминания вашего имени и новое в обсуждениях, за которыми вы следите',
};

export function NotificationsList({ list }: { list: PostListId }) {
  const news = useReading(list);
  const groups = useGroups(list);
  return (
    <NewsProvider value={news}>
      <GroupsProvider value={groups}>
        <PostList list={list} label="Уведомления" empty={empty} item={NotificationItem} rows={groups} />
      </GroupsProvider>
    </NewsProvider>
  );
}
