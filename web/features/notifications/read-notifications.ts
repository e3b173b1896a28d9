import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { ApiError } from '#client/api-error.ts';
import { call } from '../../lib/api.ts';
import { networkOrPause } from '../../lib/waits.ts';
import { useObservable } from '../../lib/observable.ts';
import { createRequiredContext } from '../../lib/required-context.ts';
import { useHides, useMutedAuthors } from '../mutes/mutes.ts';
import { cardsOnScreen } from '../posts/list/posts-on-screen.ts';
import type { PostListSource } from '../posts/store/post-list-state.ts';
import type { PostListId } from '../posts/store/post-store.ts';
import { unreadNotifications } from '../posts/store/viewer-counts.ts';
import { usePostList, usePostStore } from '../posts/store/use-posts.ts';
import { watchRead } from '../reading/watch-read.ts';
import { setRead } from '../session/own-calls.ts';

interface ReadReporterOptions {
  /** Whether one notification stands above another in the list, whose order is not that of the ids of the posts. */
  isNewer: (id: string, than: string) => boolean;
  /** Reports to the server that this notification and all older ones are read. */
  send: (upTo: string) => Promise<unknown>;
  /** Resolves when the next attempt may start after a failure. */
  pause: () => Promise<void>;
}

/** Notifications that are seen together are reported within this time: only the newest is sent. */
const gatherMs = 50;

/** Reports the newest notification that was seen, one request at a time, until the server has accepted or rejected it. */
export function createReadReporter({ isNewer, send, pause }: ReadReporterOptions) {
  let seen: string | null = null;
  let reported: string | null = null;
  let rejected: string | null = null;
  let reporting = false;

  async function report(): Promise<void> {
    if (reporting || seen === null || seen === reported) return;
    reporting = true;
    await new Promise((go) => setTimeout(go, gatherMs));
    const upTo = seen;
    try {
      await send(upTo);
      reported = upTo;
    } catch (error) {
      if (!isRejection(error)) await pause();
      else {
        rejected = upTo;
        // Older ones can still be reported.
        if (seen === upTo) seen = reported;
      }
    }
    reporting = false;
    await report();
  }

  return {
    read(id: string): void {
      if (id === rejected || (seen !== null && !isNewer(id, seen))) return;
      seen = id;
      void report();
    },
  };
}

/** The notification or the session no longer exists: another attempt would not help. */
const isRejection = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.code !== 'TOO_MANY_REQUESTS';

/**
 * The ids of the new notifications of a list: the unread ones, and those read here during this visit. Notifications of muted
 * authors and with hidden words are left out. Notifications that are seen are reported as read.
 */
export function useReading(list: PostListId) {
  const { ids, fresh, marks, source } = usePostList(list);
  const store = usePostStore();
  const { post, content } = store;
  const muted = useMutedAuthors();
  const whyHidden = useHides();
  const [readHere, setReadHere] = useState(() => visits.get(source) ?? noneYet);
  const [reader] = useState(() =>
    createReadReporter({
      isNewer: (id, than) => isAbove(store.list(list)?.ids ?? [], id, than),
      send: (upTo) => setRead(call, upTo),
      pause: networkOrPause,
    }),
  );
  const isOpen = useObservable(unreadNotifications) > 0;

  const newIds = useMemo(
    () => new Set(ids.filter((id) => (marks?.[id]?.isUnread || readHere.has(id)) && !whyHidden(post(id)))),
    [ids, post, whyHidden, marks, readHere],
  );
  /** Notes that this notification and the older ones were read during this visit. */
  const noteRead = (id: string) =>
    setReadHere((before) => {
      const older = [...newIds].filter((other) => !isAbove(ids, other, id));
      const noted = older.every((each) => before.has(each)) ? before : new Set([...before, ...older]);
      visits.set(source, noted);
      return noted;
    });

  const onRead = useEffectEvent((read: string[]) => {
    const waiting = fresh.filter(({ ownerId }) => !muted.has(ownerId)).length;
    for (const id of read.filter((each) => newIds.has(each))) {
      reader.read(id);
      noteRead(id);
      const newer = waiting + [...newIds].filter((other) => isAbove(ids, other, id)).length;
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

  return newIds;
}

/** The ids of notifications that are new during this visit. */
export const [NewIdsProvider, useNewIds] = createRequiredContext<ReadonlySet<string>>();

/** The ids read during a visit of a list, which keep their marks when the reader returns. The key is the list's own `source` object. */
const visits = new WeakMap<PostListSource, ReadonlySet<string>>();
const noneYet: ReadonlySet<string> = new Set();

/** Whether `id` stands above `than`. True as well if `than` is no longer in the list. */
const isAbove = (ids: readonly string[], id: string, than: string): boolean =>
  !ids.includes(than) || ids.indexOf(id) < ids.indexOf(than);
