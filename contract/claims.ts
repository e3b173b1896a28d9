import type * as schema from './claims.schema.ts';
import { endpoint } from './endpoint.ts';

export const getClaim = endpoint<typeof schema.getClaim>({
  method: 'GET',
  path: '/claims/{code}',
  access: 'public',
  codes: ['NOT_FOUND'],
});

export const claimAccount = endpoint<typeof schema.claimAccount>({
  method: 'POST',
  path: '/claims/{code}',
  access: 'user',
  status: 204,
  codes: ['NOT_FOUND', 'FORBIDDEN'],
});
