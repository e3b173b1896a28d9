import { addresses } from '#contract/addresses.ts';
import { formPage } from './form-page.tsx';
import { notFound } from './not-found.tsx';

export const signInPage = formPage({
  address: addresses.signIn,
  access: 'public',
  heading: 'Вход',
  isEntrance: true,
  file: () => import('./open/sign-in.tsx'),
  name: 'signIn',
});

/** The pages that the server makes for one visitor or one signed-in person. */
export const openPages = [
  formPage({
    address: addresses.newPost,
    access: 'public',
    heading: 'Новая запись',
    writesText: true,
    file: () => import('./open/writing.tsx'),
    name: 'newPost',
  }),
  formPage({
    address: addresses.postReply,
    access: 'public',
    heading: 'Ответ',
    writesText: true,
    file: () => import('./open/writing.tsx'),
    name: 'reply',
  }),
  formPage({
    address: addresses.sharedPost,
    access: 'public',
    heading: 'Запись',
    file: () => import('./open/shared-post.tsx'),
    name: 'sharedPost',
  }),
  signInPage,
  formPage({
    address: addresses.join,
    access: 'public',
    heading: 'Приглашение',
    missing: notFound,
    file: () => import('./open/join.tsx'),
    name: 'join',
  }),
  formPage({
    address: addresses.ownerLink,
    access: 'public',
    heading: 'Владелец стены',
    missing: notFound,
    file: () => import('./open/join.tsx'),
    name: 'ownerLink',
  }),
  formPage({
    address: addresses.claim,
    access: 'public',
    heading: 'Перенесённые записи',
    missing: notFound,
    file: () => import('./open/claim.tsx'),
    name: 'claim',
  }),
];
