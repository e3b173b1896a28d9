import { useMemo, useState } from 'react';
import { readAnswers } from '#contract/answers.ts';
import { call } from '../lib/api.ts';
import { networkOrPause } from '../lib/network-or-pause.ts';
import { useMutedAuthors } from '../mutes/mutes-context.ts';
import { usePostStore } from '../posts/post-store-context.ts';
import type { PostListId } from '../posts/post-store.ts';
import { usePostList } from '../posts/use-post-list.ts';
import { createAnswerReader } from './answer-reader.ts';
import { unreadAnswers } from './unread-answers.ts';
import { useUnreadAnswers } from './use-unread-answers.ts';
import { newAnswers, visitOf } from './visit.ts';

/** What is new in a list of answers, muted authors' left out, and how it comes to be read. */
export function useReadingOf(list: PostListId) {
  const { ids, fresh } = usePostList(list);
  const { post } = usePostStore();
  const muted = useMutedAuthors();
  const [visit] = useState(() => visitOf(list, () => ({ newest: ids[0], unread: unreadAnswers.count() })));
  const [reader] = useState(() =>
    createAnswerReader({
      send: (upTo) => call(readAnswers, { body: { up_to: upTo } }),
      pause: networkOrPause,
    }),
  );
  const isOpen = useUnreadAnswers() > 0;

  return useMemo(() => {
    const isHeard = (authorId: string | undefined) => authorId === undefined || !muted.has(authorId);
    const news = newAnswers(
      ids.filter((id) => isHeard(post(id)?.owner.id)),
      visit,
    );
    const waiting = fresh.filter(({ ownerId }) => isHeard(ownerId)).map(({ id }) => id);
    const newerThan = (id: string) => [...waiting, ...news].filter((other) => Number(other) > Number(id)).length;
    const onSeen = (id: string) => {
      reader.read(id);
      // At once; the server's own number follows.
      unreadAnswers.hear(Math.min(unreadAnswers.count(), newerThan(id)));
    };
    return { news, isOpen, onSeen };
  }, [ids, fresh, post, muted, visit, reader, isOpen]);
}
