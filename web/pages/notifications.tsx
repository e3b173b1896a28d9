import { noResponseError } from '#client/api-error.ts';
import { addresses } from '#contract/addresses.ts';
import type { Page } from '../router/page.ts';
import { loadList } from '../features/posts/store/fetch-post-page.ts';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { namedOnDemand } from '../lib/on-demand.ts';
import { LazyPage } from './lazy-page.tsx';
import { PostSkeletons } from './post-skeletons.tsx';

const part = namedOnDemand(() => import('./notifications-list.tsx'), 'NotificationsList');
const skeleton = <PostSkeletons />;

/** Posts of others to the reader and in the discussions that the reader follows. */
export const notifications: Page<object, { list: PostListId }> = {
  address: addresses.notifications,
  access: 'user',
  async load(_, request) {
    // The reader's place is looked for in the rows as soon as this is done.
    const isPartHere = part.load().catch(() => {
      throw noResponseError('OFFLINE');
    });
    const [list] = await Promise.all([loadList({ kind: 'notifications' }, request), isPartHere]);
    return { list };
  },
  describe: () => ({ heading: 'Уведомления' }),
  skeleton,
  Component: ({ list }) => <LazyPage part={part} skeleton={skeleton} list={list} />,
  prefetch: part.load,
};
