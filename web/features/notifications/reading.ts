import { useMemo, useState } from 'react';
import { readNotifications } from '#contract/notifications.ts';
import { call } from '../../lib/api.ts';
import { networkOrPause } from '../../lib/network-or-pause.ts';
import { useMutedAuthors } from '../mutes/mutes.ts';
import { useObservable } from '../../lib/observable.ts';
import { unreadNotifications } from '../posts/store/fetch-notifications.ts';
import { usePostList, usePostStore } from '../posts/store/use-posts.ts';
import type { PostListId } from '../posts/store/post-store.ts';
import { createReadReporter } from './read-reporter.ts';
import { createRequiredContext } from '../../lib/required-context.ts';

/** Which notifications in a list are new, without those of muted authors, and a function that reports them as read. */
export function useReadingState(list: PostListId) {
  const { ids, fresh } = usePostList(list);
  const store = usePostStore();
  const { post } = store;
  const muted = useMutedAuthors();
  const [visit] = useState(() => visitOf(list, () => ({ newest: ids[0], unread: unreadNotifications.get() })));
  const [reader] = useState(() =>
    createReadReporter({
      isNewer: (id, than) => isAbove(store.list(list)?.ids ?? [], id, than),
      send: (upTo) => call(readNotifications, { body: { up_to: upTo } }),
      pause: networkOrPause,
    }),
  );
  const isOpen = useObservable(unreadNotifications) > 0;

  return useMemo(() => {
    const isHeard = (authorId: string | undefined) => authorId === undefined || !muted.has(authorId);
    const news = newNotifications(ids, (id) => isHeard(post(id)?.owner.id), visit);
    const waiting = fresh.filter(({ ownerId }) => isHeard(ownerId)).length;
    const onSeen = (id: string) => {
      reader.read(id);
      const newer = waiting + [...news].filter((other) => isAbove(ids, other, id)).length;
      // Takes effect at once. The server's number follows.
      unreadNotifications.set(Math.min(unreadNotifications.get(), newer));
    };
    return { news, isOpen, onSeen };
  }, [ids, fresh, post, muted, visit, reader, isOpen]);
}

interface UnreadNotifications {
  /** The ids of notifications that are new during this visit. */
  news: ReadonlySet<string>;
  /** Whether any notification is unread. */
  isOpen: boolean;
  onSeen: (id: string) => void;
}

export const [ReadingProvider, useReading] = createRequiredContext<UnreadNotifications>();

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

/**
 * Ids of the listed notifications that were unread when the list was opened or arrived later. The list has the newest first:
 * a job may tell of an older post later.
 */
export function newNotifications(
  ids: readonly string[],
  isHeard: (id: string) => boolean,
  { newest, unread }: Visit,
): ReadonlySet<string> {
  const isLater = (id: string): boolean => {
    if (newest === undefined) return true;
    // It may have been deleted.
    return ids.includes(newest) ? ids.indexOf(id) < ids.indexOf(newest) : Number(id) > Number(newest);
  };
  const heard = ids.filter(isHeard);
  return new Set(heard.slice(0, heard.filter(isLater).length + unread));
}

/** Also true if the second one has left the list. */
const isAbove = (ids: readonly string[], id: string, than: string): boolean =>
  !ids.includes(than) || ids.indexOf(id) < ids.indexOf(than);
