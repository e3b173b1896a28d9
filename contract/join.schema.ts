import { Type } from 'typebox';
import { named, nullable, object } from './common.schema.ts';
import { displayName } from './posts.schema.ts';

const params = Type.Object({ code: Type.String() });

export const getInvitation = {
  params,
  reply: named('Invitation', {
    inviter: nullable(
      object({ username: Type.String(), display_name: displayName }),
      'null: приглашает оператор, или этого человека на стене больше нет.',
    ),
  }),
};
export const checkOwnerLink = { params };
export const becomeOwner = { params };
