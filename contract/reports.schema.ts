import { Type } from 'typebox';
import { id, strict } from './common.schema.ts';

export const reportPost = {
  params: Type.Object({ id }),
  query: Type.Object({ reason_id: Type.String({ minLength: 1 }) }),
};
export const listReasons = {
  reply: Type.Object({ reasons: Type.Array(Type.Object({ id, name: Type.String() }, strict)) }, strict),
};
