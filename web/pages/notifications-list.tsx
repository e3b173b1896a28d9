import { addresses } from '#contract/addresses.ts';
import { useMutedAuthors } from '../features/mutes/mutes.ts';
import { NotificationItem } from '../features/notifications/notification-item.tsx';
import { NewsProvider, useReading } from '../features/notifications/reading.ts';
import { GroupsProvider, useGroups } from '../features/notifications/use-groups.ts';
import { PostList } from '../features/posts/list/post-list.tsx';
import type { PostListId } from '../features/posts/store/post-store.ts';

const empty = {
  title: 'Уведомлений пока нет',
  text: 'Здесь будут ответы на ваши записи, упоминания вашего имени и новое в обсуждениях, за которыми вы следите',
};

const emptyWithoutMuted = {
  title: 'Уведомлений нет',
  text: 'Ответы и упоминания авторов, которых вы решили не показывать, сюда не попадают.',
  action: <a href={addresses.settingsMuted.href()}>Кого вы не показываете</a>,
};

export function NotificationsList({ list }: { list: PostListId }) {
  const news = useReading(list);
  const groups = useGroups(list);
  const hidesAuthors = useMutedAuthors().size > 0;
  return (
    <NewsProvider value={news}>
      <GroupsProvider value={groups}>
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
