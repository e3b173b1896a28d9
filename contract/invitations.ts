import { type Static, Type } from 'typebox';
import { call } from './call.ts';
import * as values from './example-values.ts';
import { owner } from './post-schemas.ts';
import { count, id, idempotent, idParams, named, nullable, seconds } from './schemas.ts';

const params = Type.Object({ code: Type.String() });

const claim = { code: values.claimCode };

export const claimCalls = {
  'GET /claims/{code}': call({
    name: 'getClaim',
    says: 'Перенесённая учётная запись, на которую ведёт ссылка',
    access: 'public',
    codes: ['NOT_FOUND'],
    params,
    reply: named('Claim', {
      user: owner,
      posts_count: count,
      replies_count: count,
      is_claimed: Type.Boolean({ description: 'Кто-то уже пришёл по этой ссылке.' }),
    }),
    example: { params: claim, reply: { user: values.boris, posts_count: 12, replies_count: 40, is_claimed: false } },
  }),
  'POST /claims/{code}': call({
    name: 'claimAccount',
    says: 'Получить перенесённую учётную запись вместо своей, в которой записей нет',
    access: 'user',
    codes: ['NOT_FOUND', 'FORBIDDEN'],
    params,
    example: { params: claim },
  }),
};

const ownerLink = { code: `${values.at + 86_400}.sZ0bN8kQm3cXv1tYw6rJ4hPfLg2dKe7uAoIiEyUxR5M` };

export const joinCalls = {
  /** Who invites. Read by a person who opens the link of an invitation. */
  'GET /invitations/{code}': call({
    name: 'getInvitation',
    says: 'Кто приглашает по ссылке',
    access: 'public',
    codes: ['NOT_FOUND'],
    params,
    reply: named('Invitation', {
      inviter: nullable(owner, 'null: приглашает оператор, или этого человека на стене больше нет.'),
      writers: Type.Array(owner, { description: 'Кто писал последним, не больше четырёх; на закрытой стене никого.' }),
      ask: Type.Optional(Type.String({ description: 'Имя владельца стены без почты: он покажет код.' })),
    }),
    example: {
      params: { code: 'K7QFA-2MZX9' },
      reply: { inviter: values.galina, writers: [values.boris] },
    },
  }),
  'GET /owner-links/{code}': call({
    name: 'checkOwnerLink',
    says: 'Действует ли ссылка первого владельца',
    access: 'public',
    codes: ['NOT_FOUND'],
    params,
    example: { params: ownerLink },
  }),
  'POST /owner-links/{code}': call({
    name: 'becomeOwner',
    says: 'Стать первым владельцем стены по ссылке, которую она напечатала при запуске',
    access: 'user',
    codes: ['NOT_FOUND'],
    params,
    example: { params: ownerLink },
  }),
};

const invitation = named('OwnInvitation', {
  id,
  code: Type.String(),
  url: Type.String({ description: 'Ссылка для одного человека.' }),
  created_at: seconds,
  is_open: Type.Boolean({ description: 'По ней ещё никто не пришёл.' }),
  used_by: nullable(Type.String(), 'Кто пришёл, если он ещё на стене.'),
});

const invitations = named('OwnInvitations', {
  invitations: Type.Array(invitation, { description: 'Новые сначала, не больше 100; отозванных здесь нет.' }),
  left: nullable(count, 'Сколько ссылок ещё можно сделать; null: сколько угодно.'),
  refused: nullable(Type.String(), 'Почему сейчас ни одной; для людей.'),
  next_at: nullable(seconds, 'С какого времени можно, если это известно.'),
});

/** The links by which a member invites others. */
export type Invitations = Static<typeof invitations>;

const ownLinks = {
  invitations: [
    {
      id: values.invitationId,
      code: 'K7QFA-2MZX9',
      url: 'https://stena.example.org/join/K7QFA-2MZX9',
      created_at: values.at,
      is_open: true,
      used_by: null,
    },
  ],
  left: 2,
  refused: null,
  next_at: null,
};

export const invitationCalls = {
  'GET /users/current/invitations': call({
    name: 'listInvitations',
    says: 'Свои приглашения, и можно ли сделать ещё',
    access: 'user',
    reply: invitations,
    example: { reply: ownLinks },
  }),
  'POST /users/current/invitations': call({
    name: 'makeInvitation',
    says: 'Сделать ссылку-приглашение для одного человека',
    access: 'user',
    spends: 'settings',
    status: 201,
    codes: ['FORBIDDEN'],
    headers: idempotent,
    reply: invitations,
    example: { reply: ownLinks },
  }),
  'DELETE /users/current/invitations/{id}': call({
    name: 'endInvitation',
    says: 'Отозвать своё приглашение',
    access: 'user',
    spends: 'settings',
    codes: ['NOT_FOUND'],
    params: idParams,
    reply: invitations,
    example: { params: { id: values.invitationId }, reply: { ...ownLinks, invitations: [] } },
  }),
};
