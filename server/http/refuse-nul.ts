import type { FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';

/** PostgreSQL keeps no NUL: an id with one in it names nothing. What else may hold one is checked where it is read. */
export function refuseNul({ url }: Pick<FastifyRequest, 'url'>): void {
  if (!url.includes('%00')) return;
  throw new ApiError(url.split('?', 1)[0]!.includes('%00') ? 'NOT_FOUND' : 'INVALID_REQUEST');
}
