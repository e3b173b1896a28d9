import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';

export const apiPrefix = '/api/v1';

export interface EndpointCall {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  headers?: unknown;
  reply?: unknown;
}

/** One line of the HTTP contract. The server registers it and the browser calls it by the same constant. */
export interface Endpoint<Call extends EndpointCall = EndpointCall> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `apiPrefix`, parameters in braces, as the specification writes them. */
  path: string;
  summary: string;
  /** `public`: anyone. `user`: a valid access token. `cookie`: the session cookie alone. */
  access: 'public' | 'user' | 'cookie';
  status: 200 | 201 | 204;
  /** It sets or clears the session cookie. */
  setsCookie?: true;
  /** Who accepts `text/event-stream` gets replies as events of a stream. */
  streams?: true;
  /** What it may answer beyond `commonCodes` and what its access implies. */
  codes: readonly ErrorCode[];
  /** Where it answers a code with another status than the table's. */
  statuses?: Partial<Record<ErrorCode, number>>;
  /** Never set: carries the call's types. */
  readonly call?: Call;
}

/** What any call may answer. */
export const commonCodes = ['INVALID_REQUEST', 'TOO_MANY_REQUESTS', 'INTERNAL', 'UNAVAILABLE'] as const;

/** The schemas of a call; types follow from them. */
export interface CallSchemas {
  params?: TSchema;
  query?: TSchema;
  body?: TSchema;
  headers?: TSchema;
  reply?: TSchema;
}

export type CallOf<S extends CallSchemas> = { [K in keyof S]: S[K] extends TSchema ? Static<S[K]> : never };

export function endpoint<S extends CallSchemas>(fields: Omit<Endpoint, 'call'>): Endpoint<CallOf<S>> {
  return fields;
}
