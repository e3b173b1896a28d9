import { Type } from 'typebox';
import { id, named, nullable, object, withoutNul } from './common.schema.ts';

export const reportPost = {
  params: Type.Object({ id }),
  query: Type.Object({ reason_id: Type.String({ minLength: 1 }) }),
  body: nullable(
    named('ReportComment', {
      comment: Type.Optional(
        Type.String({
          pattern: withoutNul,
          description: 'Что не так, до 500 знаков: для причины other и только для неё.',
        }),
      ),
    }),
  ),
};
const reason = named('ReportReason', { id, name: Type.String() });

export const listReasons = {
  reply: object({ reasons: Type.Array(reason) }),
};
