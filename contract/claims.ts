import type * as schema from './claims.schema.ts';
import { endpoint } from './endpoint.ts';

export const getClaim = endpoint<typeof schema.getClaim>('GET /claims/{code}', 'public', { codes: ['NOT_FOUND'] });

export const claimAccount = endpoint<typeof schema.claimAccount>('POST /claims/{code}', 'user', {
  codes: ['NOT_FOUND', 'FORBIDDEN'],
});
