import { Type } from 'typebox';
import { call } from './call.ts';
import * as values from './example-values.ts';
import { id, named, nullable, object, withoutNul } from './schemas.ts';

const reason = named('ReportReason', { id, name: Type.String() });

export const reportCalls = {
  'POST /posts/{id}/reports': call({
    name: 'reportPost',
    says: 'Пожаловаться на запись',
    access: 'user',
    spends: 'reports',
    scope: 'write',
    codes: ['FORBIDDEN', 'NOT_FOUND'],
    params: Type.Object({ id }),
    query: Type.Object({ reason_id: Type.String({ minLength: 1 }) }),
    body: nullable(
      named('ReportComment', {
        comment: Type.Optional(
          Type.String({
            pattern: withoutNul,
            description: 'Что не так, своими словами, до 500 знаков. Можно не писать.',
          }),
        ),
      }),
    ),
    example: { params: values.other, query: { reason_id: 'other' }, body: { comment: 'Просит деньги у всех подряд.' } },
  }),
  'GET /reports/reasons': call({
    name: 'listReasons',
    says: 'Причины жалоб',
    access: 'public',
    scope: 'read',
    reply: object({ reasons: Type.Array(reason) }),
    example: {
      reply: {
        reasons: [
          { id: 'spam', name: 'Спам' },
          { id: 'other', name: 'Другое' },
        ],
      },
    },
  }),
};
