import { Type } from 'typebox';
import { id, idempotent, idParams, seconds, strict } from './common.schema.ts';

const invitation = Type.Object(
  {
    id,
    code: Type.String(),
    url: Type.String({ description: 'Ссылка для одного человека.' }),
    created_at: seconds,
    is_open: Type.Boolean({ description: 'По ней ещё никто не пришёл.' }),
    used_by: Type.Union([Type.String(), Type.Null()], { description: 'Кто пришёл, если он ещё на стене.' }),
  },
  { ...strict, title: 'OwnInvitation' },
);

export const invitations = Type.Object(
  {
    invitations: Type.Array(invitation, { description: 'Новые сначала, не больше 100; отозванных здесь нет.' }),
    left: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Сколько ссылок ещё можно сделать; null: сколько угодно.',
    }),
    refused: Type.Union([Type.String(), Type.Null()], { description: 'Почему сейчас ни одной; для людей.' }),
    next_at: Type.Union([seconds, Type.Null()], { description: 'С какого времени можно, если это известно.' }),
  },
  { ...strict, title: 'OwnInvitations' },
);

export const listInvitations = { reply: invitations };
export const makeInvitation = { headers: idempotent, reply: invitations };
export const endInvitation = { params: idParams, reply: invitations };
