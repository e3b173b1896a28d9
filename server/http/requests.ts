import { parseId } from '../db/parse-id.ts';
import { ApiError } from './api-error.ts';

/** The id in a path. A malformed id is handled as an unknown one. */
export const idOf = (params: { id: string }): number => orNotFound(parseId(params.id));

/** Throws NOT_FOUND in place of undefined. */
export function orNotFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ApiError('NOT_FOUND');
  return found;
}

/** Throws INVALID_REQUEST in place of undefined, which a parser returns for what it does not understand. */
export function orInvalid<Parsed>(parsed: Parsed | undefined): Parsed {
  if (parsed === undefined) throw new ApiError('INVALID_REQUEST');
  return parsed;
}
