import { addresses } from '#contract/addresses.ts';
import { Tabs } from '../ui/tabs.tsx';

type TabName = 'Записи' | 'Ответы' | 'Понравившиеся' | 'Сохранённое';

interface PersonTabsProps {
  username: string;
  /** Whether this is the reader's own page. It also has tabs with lists that only the reader sees. */
  isOwn: boolean;
  current: TabName;
}

/** The lists on the page of a person. */
export function PersonTabs({ username, isOwn, current }: PersonTabsProps) {
  const tabs: { name: TabName; href: string }[] = [
    { name: 'Записи', href: addresses.user.href({ username }) },
    { name: 'Ответы', href: addresses.userReplies.href({ username }) },
  ];
  if (isOwn) {
    tabs.push(
      { name: 'Понравившиеся', href: addresses.liked.href() },
      { name: 'Сохранённое', href: addresses.saved.href() },
    );
  }
  return <Tabs label="Записи и ответы" tabs={tabs} current={current} />;
}
