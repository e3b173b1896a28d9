import { NotificationItem } from '../features/notifications/notification-item.tsx';
import { ReadingProvider, useReadingState } from '../features/notifications/reading.ts';
import { PostList } from '../features/posts/list/post-list.tsx';
import type { PostListId } from '../features/posts/store/post-store.ts';

const empty = { title: 'Ответов пока нет', text: 'Когда кто-нибудь ответит на вашу запись или ответ, это будет здесь' };

export function NotificationsList({ list }: { list: PostListId }) {
  const reading = useReadingState(list);
  return (
    <ReadingProvider value={reading}>
      <PostList list={list} label="Ответы мне" empty={empty} item={NotificationItem} />
    </ReadingProvider>
  );
}
