import { addresses } from '#contract/addresses.ts';
import { formPageRow } from './form-page.tsx';
import { notFound } from './not-found.tsx';

export const signInPage = formPageRow({
  address: addresses.signIn,
  access: 'public',
  heading: 'Вход',
  isEntrance: true,
  file: () => import('./open/sign-in.tsx'),
  name: 'signIn',
});

/** The pages that the server makes for one visitor or one signed-in person. */
export const openPages = [
  formPageRow({
    address: addresses.newPost,
    access: 'public',
    heading: 'Новая запись',
    writesText: true,
    file: () => import('./open/writing.tsx'),
    name: 'newPost',
  }),
  formPageRow({
    address: addresses.postReply,
    access: 'public',
    heading: 'Ответ',
    writesText: true,
    file: () => import('./open/writing.tsx'),
    name: 'reply',
  }),
  formPageRow({
    address: addresses.sharedPost,
    access: 'public',
    heading: 'Запись',
    file: () => import('./open/shared-post.tsx'),
    name: 'sharedPost',
  }),
  signInPage,
  formPageRow({
    address: addresses.join,
    access: 'public',
    heading: 'Приглашение',
    missing: notFound,
    file: () => import('./open/join.tsx'),
    name: 'join',
  }),
  formPageRow({
    address: addresses.ownerLink,
    access: 'public',
    heading: 'Владелец стены',
    missing: notFound,
    file: () => import('./open/join.tsx'),
    name: 'ownerLink',
  }),
  formPageRow({
    address: addresses.claim,
    access: 'public',
    heading: 'Перенесённые записи',
    missing: notFound,
    file: () => import('./open/claim.tsx'),
    name: 'claim',
  }),
];
