import { Type } from 'typebox';
import { count, named } from './common.schema.ts';
import { owner } from './posts.schema.ts';

const params = Type.Object({ code: Type.String() });

export const getClaim = {
  params,
  reply: named('Claim', {
    user: owner,
    posts_count: count,
    replies_count: count,
    is_claimed: Type.Boolean({ description: 'Кто-то уже пришёл по этой ссылке.' }),
  }),
};
export const claimAccount = { params };
