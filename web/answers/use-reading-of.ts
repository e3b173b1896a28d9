import { useMemo, useState } from 'react';
import { readAnswers } from '#contract/answers.ts';
import { call } from '../lib/api.ts';
import { networkOrPause } from '../lib/network-or-pause.ts';
import type { PostListId } from '../posts/post-store.ts';
import { usePostList } from '../posts/use-post-list.ts';
import { createAnswerReader } from './answer-reader.ts';
import { unreadAnswers } from './unread-answers.ts';
import { useUnreadAnswers } from './use-unread-answers.ts';
import { newAnswers, visitOf } from './visit.ts';

/** What is new in a list of answers, and how it comes to be read. */
export function useReadingOf(list: PostListId) {
  const { ids, fresh } = usePostList(list);
  const [visit] = useState(() => visitOf(list, () => ({ newest: ids[0], unread: unreadAnswers.count() })));
  const [reader] = useState(() =>
    createAnswerReader({
      send: (upTo) => call(readAnswers, { body: { up_to: upTo } }),
      pause: networkOrPause,
    }),
  );
  const isOpen = useUnreadAnswers() > 0;

  return useMemo(() => {
    const news = newAnswers(ids, visit);
    const newerThan = (id: string) => [...fresh, ...news].filter((other) => Number(other) > Number(id)).length;
    const onSeen = (id: string) => {
      reader.read(id);
      // At once; the server's own number follows.
      unreadAnswers.hear(Math.min(unreadAnswers.count(), newerThan(id)));
    };
    return { news, isOpen, onSeen };
  }, [ids, fresh, visit, reader, isOpen]);
}
