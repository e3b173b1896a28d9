import { useEffect, useEffectEvent, useRef } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { CallEndpoint } from '#contract/calls.ts';
import type { RemovedPost } from '#contract/posts.ts';
import { RemovedPosts } from '../../features/moderation/removed-posts.tsx';
import { useMutedAuthors } from '../../features/mutes/mutes.ts';
import { NotificationItem } from '../../features/notifications/notification-item.tsx';
import { NewIdsProvider, useReading } from '../../features/notifications/read-notifications.ts';
import { setRead } from '../../features/session/own-calls.ts';
import { GroupsProvider, useGroups } from '../../features/notifications/use-groups.ts';
import { PostList } from '../../features/posts/list/post-list.tsx';
import { unreadNotifications } from '../../features/posts/store/viewer-counts.ts';
import { usePostList, usePostStore } from '../../features/posts/store/use-posts.ts';
import { useSessionState } from '../../features/session/session.ts';
import { useLoaded } from '../../features/session/use-loaded.ts';
import { Form } from '../../forms/form.tsx';
import formStyles from '../../forms/form.module.css';
import { act } from '../../forms/page-module.ts';
import { call } from '../../lib/api.ts';
import { useObservable } from '../../lib/observable.ts';
import { serverNow } from '../../lib/server-clock.ts';
import type { Picture } from '../../ui/notice.tsx';
import { listPage } from './list-page.ts';

/** A bell that does not ring. */
const bell: Picture = [
  'M3 46h34v12H3zM43 46h34v12H43zM83 46h34v12H83z',
  'M55 38a5 5 0 0 0 10 0',
  'M60 6v-3m0 3c-9 0-14 6-14 14 0 8-2 10-6 13h40c-4-3-6-5-6-13 0-8-5-14-14-14z',
];

const empty = {
  picture: bell,
  title: 'Уведомлений пока нет',
  text: 'Здесь будут ответы на ваши записи, упоминания вашего имени и новое в обсуждениях, за которыми вы следите',
};

const emptyWithoutMuted = {
  picture: bell,
  title: 'Уведомлений нет',
  text: 'Ответы и упоминания авторов, которых вы решили не показывать, сюда не попадают.',
  action: <a href={addresses.settingsMuted.href()}>Кого вы не показываете</a>,
};

const shownSeconds = 30 * 24 * 3_600;

async function recentRemovals(callAs: CallEndpoint, now: number): Promise<RemovedPost[]> {
  const { posts } = await callAs('GET /posts/removed', {});
  return posts.filter(({ is_new: isNew, removed_at: at }) => isNew || at > now - shownSeconds);
}

const newestOf = (removed: readonly RemovedPost[]) => removed.find(({ is_new: isNew }) => isNew);

async function readRemovals(signal: AbortSignal): Promise<RemovedPost[]> {
  const found = await recentRemovals(call, serverNow());
  const newest = newestOf(found);
  // If the call fails, the removals stay new.
  if (newest && !signal.aborted) void setRead(call, newest.id).catch(() => {});
  return found;
}

/** The person's posts that were removed lately, with the reasons. New removals count as unread, and the letter about unread notifications has them. */
function RecentRemovals({ first }: { first: RemovedPost[] }) {
  const { loaded, load } = useLoaded(readRemovals, first);
  const unread = useObservable(unreadNotifications);
  const known = useRef(unread);
  useEffect(() => {
    if (unread > known.current) void load();
    known.current = unread;
  }, [unread, load]);
  return loaded.is === 'here' && loaded.value.length > 0 && <RemovedPosts posts={loaded.value} />;
}

interface UnreadProps {
  /** The newest notification and the newest removed post, if they are new. */
  newest: string | undefined;
  removed: string | undefined;
  unread: number;
}

/**
 * A button that marks everything as read, for readers without scripts. Only the server renders it, because React never renders the
 * content of <noscript> in the browser.
 */
const Unread = ({ newest, removed, unread }: UnreadProps) => (
  <noscript>
    {import.meta.env.SSR && (
      <div className={formStyles.done}>
        {unread > 0 && <p>Непрочитанных: {unread}</p>}
        <Form act="read" {...(newest && { id: newest })} submit="Отметить прочитанными" variant="quiet">
          {removed !== undefined && <input type="hidden" name="removed" value={removed} />}
        </Form>
      </div>
    )}
  </noscript>
);

/** Asks below the newest answer whether answers should come to this device, until the person has answered the question once. */
function usePushOffer(ids: readonly string[]): void {
  const { noticeOf } = usePostStore();
  const session = useSessionState();
  const userId = session.is === 'authorized' ? session.user.id : undefined;
  const answer = ids.find((id) => noticeOf(id)?.kind === 'answer');
  const offer = useEffectEvent(async (signal: AbortSignal) => {
    const { offerPush } = await import('../../features/push/push-offer.tsx');
    await offerPush(userId!, answer!, signal);
  });
  const isWanted = userId !== undefined && answer !== undefined;
  useEffect(() => {
    if (!isWanted) return undefined;
    const leaving = new AbortController();
    // If the code cannot be loaded, the next visit of the page makes the offer.
    void offer(leaving.signal).catch(() => {});
    return () => leaving.abort();
  }, [isWanted]);
}

/** Replies to the person, mentions of them, and new posts in discussions that they follow. */
export const notifications = listPage({
  async load({ call: callAs, list, query, now }) {
    const isFirst = !query.has('cursor');
    const [posts, removed] = await Promise.all([
      list({ kind: 'notifications' }),
      isFirst ? recentRemovals(callAs, now()).catch(() => []) : [],
    ]);
    return { list: posts, removed, isFirst };
  },
  View({ list, removed, isFirst }) {
    const { unread = 0, ids } = usePostList(list);
    const newIds = useReading(list);
    const groups = useGroups(list);
    const hidesAuthors = useMutedAuthors().size > 0;
    usePushOffer(isFirst ? ids : []);
    const newest = isFirst && unread > 0 ? ids[0] : undefined;
    const removedNow = newestOf(removed)?.id;
    return (
      <NewIdsProvider value={newIds}>
        <GroupsProvider value={groups}>
          {isFirst && <RecentRemovals first={removed} />}
          {(newest ?? removedNow) !== undefined && <Unread newest={newest} removed={removedNow} unread={unread} />}
          <PostList
            list={list}
            label="Уведомления"
            empty={hidesAuthors ? emptyWithoutMuted : empty}
            item={NotificationItem}
            order={groups.ids}
          />
        </GroupsProvider>
      </NewIdsProvider>
    );
  },
  acts: {
    read: act('Прочитано', async ({ call: callAs }, { id, removed }) => {
      for (const upTo of [id, removed]) if (upTo !== undefined) await setRead(callAs, upTo);
    }),
  },
});
