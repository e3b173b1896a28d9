import { Type } from 'typebox';
import { id, strict } from './common.schema.ts';

export const reportPost = {
  params: Type.Object({ id }),
  query: Type.Object({ reason_id: Type.String({ minLength: 1 }) }),
};
const reason = Type.Object({ id, name: Type.String() }, { ...strict, title: 'ReportReason' });

export const listReasons = {
  reply: Type.Object({ reasons: Type.Array(reason) }, strict),
};
