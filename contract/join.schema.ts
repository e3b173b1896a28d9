import { Type } from 'typebox';
import { strict } from './common.schema.ts';
import { displayName } from './posts.schema.ts';

const params = Type.Object({ code: Type.String() });

export const getInvitation = {
  params,
  reply: Type.Object(
    {
      inviter: Type.Union([Type.Object({ username: Type.String(), display_name: displayName }, strict), Type.Null()], {
        description: 'null: приглашает оператор, или этого человека на стене больше нет.',
      }),
    },
    { ...strict, title: 'Invitation' },
  ),
};
export const checkOwnerLink = { params };
export const becomeOwner = { params };
