import type { FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';

/** PostgreSQL keeps no NUL, and nobody means one: an id with it names nothing, anything else is malformed. */
export function refuseNul({ url, body }: Pick<FastifyRequest, 'url' | 'body'>): void {
  if (url.includes('%00')) throw new ApiError(url.split('?', 1)[0]!.includes('%00') ? 'NOT_FOUND' : 'INVALID_REQUEST');
  if (body !== undefined && holdsNul(body)) throw new ApiError('INVALID_REQUEST');
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsNul);
}
