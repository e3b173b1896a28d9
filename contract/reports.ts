import { endpoint } from './endpoint.ts';
import type * as schema from './reports.schema.ts';

export const reportPost = endpoint<typeof schema.reportPost>({
  method: 'POST',
  path: '/posts/{id}/reports',
  access: 'user',
  tokenScope: 'write',
  status: 204,
  codes: ['FORBIDDEN', 'NOT_FOUND'],
});

export const listReasons = endpoint<typeof schema.listReasons>({
  method: 'GET',
  path: '/reports/reasons',
  access: 'public',
  tokenScope: 'read',
});
