import { addresses } from '#contract/addresses.ts';
import { loadList, type Page } from '../router/page.ts';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { onDemand } from '../lib/on-demand.ts';
import { LazyPage } from './lazy-page.tsx';
import { PostSkeletons } from './post-skeletons.tsx';

const part = onDemand(async () => (await import('./notifications-list.tsx')).NotificationsList);
const skeleton = <PostSkeletons />;

/** What others have written to the reader and in the discussions that the reader follows. */
export const notifications: Page<object, { list: PostListId }> = {
  address: addresses.notifications,
  access: 'user',
  load: async (_, request) => ({ list: await loadList({ kind: 'notifications' }, request) }),
  describe: () => ({ heading: 'Уведомления' }),
  skeleton,
  Component: ({ list }) => <LazyPage part={part} skeleton={skeleton} list={list} />,
  prefetch: part.load,
};
