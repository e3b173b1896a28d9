import { addresses } from '#contract/addresses.ts';
import type { Post } from '#contract/posts.ts';
import { formPageRow } from './form-page.tsx';

const isReply = (post: Post | undefined): boolean => post !== undefined && post.actions.replied_post_id !== null;

/** The pages with forms that act on a post or its author: the menus, and what their items open in a layer. */
export const postForms = [
  formPageRow({
    address: addresses.postActions,
    heading: 'Действия с записью',
    file: () => import('./post-forms/actions.tsx'),
    name: 'actions',
  }),
  formPageRow({
    address: addresses.userActions,
    heading: 'Действия с автором',
    file: () => import('./post-forms/person-actions.tsx'),
    name: 'personActions',
  }),
  formPageRow({
    address: addresses.postEdit,
    heading: ({ post }) => (isReply(post) ? 'Изменение ответа' : 'Изменение записи'),
    writesText: true,
    file: () => import('./post-forms/editing.tsx'),
    name: 'editing',
  }),
  formPageRow({
    address: addresses.postDeletion,
    heading: ({ post, title }) => title ?? (isReply(post) ? 'Удалить ответ?' : 'Удалить запись?'),
    file: () => import('./post-forms/post-deletion.tsx'),
    name: 'deletion',
  }),
  formPageRow({
    address: addresses.postReport,
    heading: 'Пожаловаться',
    writesText: true,
    file: () => import('./post-forms/report.tsx'),
    name: 'report',
  }),
  formPageRow({
    address: addresses.postClosure,
    heading: 'Ответы на запись',
    file: () => import('./post-forms/closure.tsx'),
    name: 'closure',
  }),
  formPageRow({
    address: addresses.postSharing,
    heading: 'Кому видна запись',
    file: () => import('./post-forms/sharing.tsx'),
    name: 'sharing',
  }),
];
