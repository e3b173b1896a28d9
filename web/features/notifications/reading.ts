import { useMemo, useState } from 'react';
import { readNotifications } from '#contract/notifications.ts';
import { call } from '../../lib/api.ts';
import { networkOrPause } from '../../lib/network-or-pause.ts';
import { useMutedAuthors } from '../mutes/mutes.ts';
import { useObservable } from '../../lib/observable.ts';
import { unreadNotifications } from '../posts/store/fetch-post-page.ts';
import { usePostList, usePostStore } from '../posts/store/use-posts.ts';
import type { PostListId } from '../posts/store/post-store.ts';
import { createReadReporter } from './read-reporter.ts';
import { createRequiredContext } from '../../lib/required-context.ts';

/** Which notifications in a list are new, without those of muted authors, and a function that reports them as read. */
export function useReadingState(list: PostListId) {
  const { ids, fresh } = usePostList(list);
  const { post } = usePostStore();
  const muted = useMutedAuthors();
  const [visit] = useState(() => visitOf(list, () => ({ newest: ids[0], unread: unreadNotifications.get() })));
  const [reader] = useState(() =>
    createReadReporter({
      send: (upTo) => call(readNotifications, { body: { up_to: upTo } }),
      pause: networkOrPause,
    }),
  );
  const isOpen = useObservable(unreadNotifications) > 0;

  return useMemo(() => {
    const isHeard = (authorId: string | undefined) => authorId === undefined || !muted.has(authorId);
    const news = newNotifications(
      ids.filter((id) => isHeard(post(id)?.owner.id)),
      visit,
    );
    const waiting = fresh.filter(({ ownerId }) => isHeard(ownerId)).map(({ id }) => id);
    const newerThan = (id: string) => [...waiting, ...news].filter((other) => Number(other) > Number(id)).length;
    const onSeen = (id: string) => {
      reader.read(id);
      // Takes effect at once. The server's number follows.
      unreadNotifications.set(Math.min(unreadNotifications.get(), newerThan(id)));
    };
    return { news, isOpen, onSeen };
  }, [ids, fresh, post, muted, visit, reader, isOpen]);
}

interface Reading {
  /** The ids of notifications that are new during this visit. */
  news: ReadonlySet<string>;
  /** Whether any notification is unread. */
  isOpen: boolean;
  onSeen: (id: string) => void;
}

export const [ReadingProvider, useReading] = createRequiredContext<Reading>();

/** The state of the list when it was opened. */
interface Visit {
  newest: string | undefined;
  unread: number;
}

const visits = new Map<PostListId, Visit>();

/** Returning to a list continues its visit. */
function visitOf(list: PostListId, now: () => Visit): Visit {
  const known = visits.get(list);
  if (known) return known;
  const visit = now();
  visits.set(list, visit);
  return visit;
}

/** The ids, newest first, of notifications that were unread when the list was opened or arrived later. */
export function newNotifications(ids: readonly string[], { newest, unread }: Visit): ReadonlySet<string> {
  const since = ids.filter((id) => newest === undefined || Number(id) > Number(newest)).length;
  return new Set(ids.slice(0, since + unread));
}
