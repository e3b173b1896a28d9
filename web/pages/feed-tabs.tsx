import type { MouseEvent } from 'react';
import { addresses } from '#contract/addresses.ts';
import { usePerform } from '../features/session/actions.ts';
import { useSessionState } from '../features/session/session.ts';
import { Tabs } from '../ui/tabs.tsx';

/** The ways to read the wall. Visitors sign in first to follow discussions. */
export function FeedTabs({ current }: { current: 'Новые' | 'Обсуждаемые' | 'Слежу' }) {
  const perform = usePerform();
  const isVisitor = useSessionState().is === 'signed-out';
  const path = addresses.following.href();
  const askFirst = (event: MouseEvent) => {
    event.preventDefault();
    perform({ kind: 'visit', path });
  };
  const tabs = [
    { name: 'Новые', href: addresses.feed.href() },
    { name: 'Обсуждаемые', href: addresses.discussed.href() },
    { name: 'Слежу', href: path, onClick: isVisitor ? askFirst : undefined },
  ];
  return <Tabs label="Порядок ленты" tabs={tabs} current={current} />;
}
