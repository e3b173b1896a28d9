import { addresses } from '#contract/addresses.ts';
import { feedFrame, feedViews } from './feed-tabs.tsx';
import { formPageRow } from './form-page.tsx';
import { PostSkeletons } from '../features/posts/card/post-card-skeleton.tsx';

const lists = () => import('./own/lists.tsx');
const skeleton = <PostSkeletons />;

/** The lists that only signed-in people see. */
export const ownLists = [
  formPageRow({
    address: addresses.following,
    heading: 'Стена',
    title: 'Слежу',
    Frame: feedFrame('Слежу'),
    skeleton,
    file: lists,
    name: 'following',
  }),
  formPageRow({ address: addresses.liked, heading: feedViews.liked.name, skeleton, file: lists, name: 'liked' }),
  formPageRow({
    address: addresses.ownPosts,
    heading: feedViews.ownPosts.name,
    skeleton,
    file: lists,
    name: 'ownPosts',
  }),
  formPageRow({
    address: addresses.ownReplies,
    heading: feedViews.ownReplies.name,
    skeleton,
    file: lists,
    name: 'ownReplies',
  }),
  formPageRow({ address: addresses.saved, heading: 'Сохранённое', skeleton, file: lists, name: 'saved' }),
  formPageRow({
    address: addresses.notifications,
    heading: 'Уведомления',
    skeleton,
    file: () => import('./own/notifications.tsx'),
    name: 'notifications',
  }),
  formPageRow({ address: addresses.people, heading: 'Люди', file: () => import('./own/people.tsx'), name: 'people' }),
];

/** The posts that the person has deleted in the last minutes. */
export const ownDeleted = formPageRow({
  address: addresses.deleted,
  heading: 'Удалённые',
  skeleton,
  file: () => import('./own/deleted.tsx'),
  name: 'deleted',
});
