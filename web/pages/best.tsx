import { type Address, addresses } from '#contract/addresses.ts';
import type { BestPeriod } from '#contract/posts.ts';
import { PostList } from '../features/posts/list/post-list.tsx';
import { loadList } from '../features/posts/store/fetch-post-page.ts';
import type { PostListId } from '../features/posts/store/post-store.ts';
import type { Page } from '../router/page.ts';
import lists from '../ui/list-page.module.css';
import { Tabs } from '../ui/tabs.tsx';
import { notFound } from './not-found.tsx';

const names: Record<BestPeriod, string> = { week: 'Неделя', month: 'Месяц', all: 'Всё время' };
const tabs = [
  { name: names.week, href: addresses.best.href() },
  { name: names.month, href: addresses.bestOf.href({ period: 'month' }) },
  { name: names.all, href: addresses.bestOf.href({ period: 'all' }) },
];

const nothing = { title: 'Пока ничего', text: 'Здесь будут записи, которые отметят хотя бы двое' };

interface Params {
  period?: BestPeriod;
}

const bestPage = (address: Address<Params>): Page<Params, { list: PostListId }> => ({
  address,
  access: 'public',
  load: async ({ period = 'week' }, request) => ({ list: await loadList({ kind: 'best', period }, request) }),
  missing: notFound,
  describe: ({ period = 'week' }) => ({ heading: 'Лучшее', title: `Лучшее: ${names[period].toLowerCase()}` }),
  Component: ({ list, params: { period = 'week' } }) => (
    <>
      <Tabs label="За какое время" tabs={tabs} current={names[period]} />
      <p className={lists.about}>Что отметили и обсудили больше людей</p>
      <PostList list={list} label="Лучшие записи и ответы" empty={nothing} />
    </>
  ),
});

/** The posts of the last week, in the order of how many people like or have answered them. */
export const best = bestPage(addresses.best);

/** The best posts of the last month and of all time. */
export const bestOf = bestPage(addresses.bestOf);
