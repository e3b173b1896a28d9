import { Type } from 'typebox';
import { strict } from './common.schema.ts';
import { owner } from './posts.schema.ts';

const params = Type.Object({ code: Type.String() });
const count = Type.Integer({ minimum: 0 });

export const getClaim = {
  params,
  reply: Type.Object(
    {
      user: owner,
      posts_count: count,
      replies_count: count,
      is_claimed: Type.Boolean({ description: 'Кто-то уже пришёл по этой ссылке.' }),
    },
    { ...strict, title: 'Claim' },
  ),
};
export const claimAccount = { params };
