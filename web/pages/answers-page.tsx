import { AnswerItem } from '../answers/answer-item.tsx';
import { ReadingProvider } from '../answers/reading-context.ts';
import { useReadingOf } from '../answers/use-reading-of.ts';
import { PostList } from '../posts/post-list.tsx';
import type { PostListId } from '../posts/post-store.ts';

const empty = { title: 'Ответов пока нет', text: 'Когда кто-нибудь ответит на вашу запись или ответ, это будет здесь' };

export function AnswersPage({ list }: { list: PostListId }) {
  const reading = useReadingOf(list);
  return (
    <ReadingProvider value={reading}>
      <PostList list={list} label="Ответы мне" empty={empty} item={AnswerItem} />
    </ReadingProvider>
  );
}
