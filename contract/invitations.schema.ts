import { Type } from 'typebox';
import { count, id, idempotent, idParams, named, nullable, seconds } from './common.schema.ts';

const invitation = named('OwnInvitation', {
  id,
  code: Type.String(),
  url: Type.String({ description: 'Ссылка для одного человека.' }),
  created_at: seconds,
  is_open: Type.Boolean({ description: 'По ней ещё никто не пришёл.' }),
  used_by: nullable(Type.String(), 'Кто пришёл, если он ещё на стене.'),
});

export const invitations = named('OwnInvitations', {
  invitations: Type.Array(invitation, { description: 'Новые сначала, не больше 100; отозванных здесь нет.' }),
  left: nullable(count, 'Сколько ссылок ещё можно сделать; null: сколько угодно.'),
  refused: nullable(Type.String(), 'Почему сейчас ни одной; для людей.'),
  next_at: nullable(seconds, 'С какого времени можно, если это известно.'),
});

export const listInvitations = { reply: invitations };
export const makeInvitation = { headers: idempotent, reply: invitations };
export const endInvitation = { params: idParams, reply: invitations };
