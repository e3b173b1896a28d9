import { endpoint } from './endpoint.ts';
import type * as schema from './reports.schema.ts';

export const reportPost = endpoint<typeof schema.reportPost>('POST /posts/{id}/reports', 'user', {
  tokenScope: 'write',
  codes: ['FORBIDDEN', 'NOT_FOUND'],
});

export const listReasons = endpoint<typeof schema.listReasons>('GET /reports/reasons', 'public', {
  tokenScope: 'read',
});
