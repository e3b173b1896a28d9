import type { MouseEvent, ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { unreadNotifications } from '../features/posts/store/viewer-counts.ts';
import { usePerform } from '../features/session/actions.ts';
import { useSessionState } from '../features/session/session.ts';
import { useClientSettings } from '../lib/client-settings.ts';
import { useObservable } from '../lib/observable.ts';
import { Tabs } from '../ui/tabs.tsx';
import { Sign } from './sign.tsx';

/** The views of the feed. All but the first belong to the signed-in person. */
export const feedViews = {
  feed: { path: addresses.feed.href(), name: 'Новые' },
  liked: { path: addresses.liked.href(), name: 'Понравившиеся' },
  ownPosts: { path: addresses.ownPosts.href(), name: 'Мои записи' },
  ownReplies: { path: addresses.ownReplies.href(), name: 'Мои ответы' },
} as const;

export type FeedView = (typeof feedViews)[keyof typeof feedViews];

/** The view at a path; undefined for other pages. The tabs of the feed belong to its first view. */
export function feedViewAt(path: string): FeedView | undefined {
  const isTab = path === addresses.discussed.path || path === addresses.following.path;
  return isTab ? feedViews.feed : Object.values(feedViews).find((view) => view.path === path);
}

type TabName = 'Новые' | 'Обсуждаемые' | 'Слежу';

/** The sign and the tabs, which stay while another list is loading. On a closed wall only members see the tabs. */
export function feedFrame(current: TabName) {
  return function FeedFrame({ shown, children }: { shown: { list?: PostListId } | null; children: ReactNode }) {
    const { isClosed } = useClientSettings();
    const isMember = useSessionState().is === 'authorized';
    return (
      <>
        {!isClosed && <Sign list={shown?.list ?? null} />}
        {(isMember || !isClosed) && <FeedTabs current={current} />}
        {children}
      </>
    );
  };
}

/** The tabs of the feed. A visitor signs in before the tab of followed discussions opens. */
function FeedTabs({ current }: { current: TabName }) {
  const perform = usePerform();
  const isVisitor = useSessionState().is === 'signed-out';
  const unread = useObservable(unreadNotifications);
  const path = addresses.following.href();
  const askFirst = (event: MouseEvent) => {
    event.preventDefault();
    perform({ kind: 'visit', path });
  };
  const tabs = [
    { name: 'Новые', href: addresses.feed.href() },
    { name: 'Обсуждаемые', href: addresses.discussed.href() },
    { name: 'Слежу', unread, href: path, onClick: isVisitor ? askFirst : undefined },
  ];
  return <Tabs label="Порядок ленты" tabs={tabs} current={current} />;
}
