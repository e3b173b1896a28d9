import { Type } from 'typebox';
import { id, strict, withoutNul } from './common.schema.ts';

export const reportPost = {
  params: Type.Object({ id }),
  query: Type.Object({ reason_id: Type.String({ minLength: 1 }) }),
  body: Type.Union([
    Type.Object(
      {
        comment: Type.Optional(
          Type.String({
            pattern: withoutNul,
            description: 'Что не так, до 500 знаков: для причины other и только для неё.',
          }),
        ),
      },
      { ...strict, title: 'ReportComment' },
    ),
    Type.Null(),
  ]),
};
const reason = Type.Object({ id, name: Type.String() }, { ...strict, title: 'ReportReason' });

export const listReasons = {
  reply: Type.Object({ reasons: Type.Array(reason) }, strict),
};
