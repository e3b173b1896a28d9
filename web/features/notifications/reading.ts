import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { readNotifications } from '#contract/notifications.ts';
import { call } from '../../lib/api.ts';
import { networkOrPause } from '../../lib/network-or-pause.ts';
import { useMutedAuthors } from '../mutes/mutes.ts';
import { useObservable } from '../../lib/observable.ts';
import { cardsOnScreen } from '../posts/list/posts-on-screen.ts';
import { unreadNotifications } from '../posts/store/fetch-notifications.ts';
import { usePostList, usePostStore } from '../posts/store/use-posts.ts';
import type { PostListId } from '../posts/store/post-store.ts';
import { watchRead } from '../reading/watch-read.ts';
import { createReadReporter } from './read-reporter.ts';
import { createRequiredContext } from '../../lib/required-context.ts';

/** Which notifications in a list are new, without those of muted authors. Those that are read are reported. */
export function useReading(list: PostListId) {
  const { ids, fresh } = usePostList(list);
  const store = usePostStore();
  const { post, content } = store;
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

  const isNotMuted = useCallback(
    (authorId: string | undefined) => authorId === undefined || !muted.has(authorId),
    [muted],
  );
  const news = useMemo(
    () => newNotifications(ids, (id) => isNotMuted(post(id)?.owner.id), visit),
    [ids, post, isNotMuted, visit],
  );
  const onRead = useEffectEvent((read: string[]) => {
    const waiting = fresh.filter(({ ownerId }) => isNotMuted(ownerId)).length;
    for (const id of read.filter((each) => news.has(each))) {
      reader.read(id);
      const newer = waiting + [...news].filter((other) => isAbove(ids, other, id)).length;
      // Takes effect at once. The server's number follows.
      unreadNotifications.set(Math.min(unreadNotifications.get(), newer));
    }
  });

  useEffect(() => {
    if (!isOpen) return undefined;
    const { lookSoon, stop } = watchRead({ cards: cardsOnScreen, edge: 0, onRead: (read) => onRead(read) });
    const stopFollowing = content.subscribe(lookSoon);
    return () => {
      stopFollowing();
      stop();
    };
  }, [isOpen, content]);

  return news;
}

/** The ids of notifications that are new during this visit. */
export const [NewsProvider, useNews] = createRequiredContext<ReadonlySet<string>>();

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
 * a job may notify of an older post later.
 */
export function newNotifications(
  ids: readonly string[],
  isNotMuted: (id: string) => boolean,
  { newest, unread }: Visit,
): ReadonlySet<string> {
  const isLater = (id: string): boolean => {
    if (newest === undefined) return true;
    // It may have been deleted.
    return ids.includes(newest) ? ids.indexOf(id) < ids.indexOf(newest) : Number(id) > Number(newest);
  };
  const notMuted = ids.filter(isNotMuted);
  return new Set(notMuted.slice(0, notMuted.filter(isLater).length + unread));
}

/** Also true if the second one has left the list. */
const isAbove = (ids: readonly string[], id: string, than: string): boolean =>
  !ids.includes(than) || ids.indexOf(id) < ids.indexOf(than);
