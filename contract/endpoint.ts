import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';

export const apiPrefix = '/api/v1';

export interface EndpointCall {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  headers?: unknown;
  reply?: unknown;
  /** The reply with status 202: what was sent takes effect later. */
  accepted?: unknown;
}

/** The calls of those who keep the wall. */
type KeeperAccess = 'moderator' | 'owner';

export const isForKeepers = (access: Endpoint['access']): access is KeeperAccess =>
  access === 'moderator' || access === 'owner';

/** One call of the HTTP contract. The server registers it and the browser calls it by the same constant. */
export interface Endpoint<Call extends EndpointCall = EndpointCall> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to `apiPrefix`, with parameters in braces. */
  path: string;
  /**
   * `public`: anyone. `user`: a valid access token. `cookie`: the session cookie alone. `moderator`: the access token of a
   * moderator or owner, `owner`: of an owner; for everybody else there is no such call.
   */
  access: 'public' | 'user' | 'cookie' | KeeperAccess;
  /**
   * The scope that an API token must have for this call; `write` includes `read`. Without it the call refuses every such
   * token.
   */
  tokenScope?: 'read' | 'write';
  /** The status of a reply. Without a reply it is 204. */
  status: 200 | 201;
  /** The largest body, if it is not the usual one. */
  bodyBytes?: number;
  /** The response sets or clears the session cookie. */
  setsCookie?: true;
  /** Clients that accept `text/event-stream` get the replies as an event stream. */
  streams?: true;
  /** Error codes besides `commonCodes` and those that its access implies. */
  codes: readonly ErrorCode[];
  /** Statuses that differ from those in the table of errors. */
  statuses?: Partial<Record<ErrorCode, number>>;
  /** Never set. Carries the types of the call. */
  readonly call?: Call;
}

/** Error codes of every call. */
export const commonCodes = ['INVALID_REQUEST', 'TOO_MANY_REQUESTS', 'INTERNAL', 'UNAVAILABLE'] as const;

/** Error codes of the calls that judge a mailed code. */
export const verifyCodes = ['INVALID_CONFIRM_CODE', 'MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED'] as const;

/**
 * The schemas of a call. Its types are derived from them.
 * @internal TypeBox is not part of the published client.
 */
export interface CallSchemas {
  params?: TSchema;
  query?: TSchema;
  body?: TSchema;
  headers?: TSchema;
  reply?: TSchema;
  accepted?: TSchema;
}

/** @internal */
export type CallOf<S extends CallSchemas> = { [K in keyof S]: S[K] extends TSchema ? Static<S[K]> : never };

/** The status of a call that succeeds. @internal */
export const statusOf = ({ status }: Endpoint, { reply }: CallSchemas): number => (reply ? status : 204);

type CallFields = 'method' | 'path' | 'access' | 'call';

// The next line lets a program drop the calls that it does not use.
/* @__NO_SIDE_EFFECTS__ */
/** @internal */
export function endpoint<S extends CallSchemas>(
  call: `${Endpoint['method']} /${string}`,
  access: Endpoint['access'],
  more: Partial<Omit<Endpoint, CallFields>> = {},
): Endpoint<CallOf<S>> {
  const [method, path] = call.split(' ') as [Endpoint['method'], string];
  return { method, path, access, status: 200, codes: [], ...more };
}

/** The parts of a call in which nothing is required. */
type OptionalPart<Call> = { [Part in keyof Call]: object extends Call[Part] ? Part : never }[keyof Call];

/** Everything of a call but its replies. */
type CallInput<Call extends EndpointCall> = Omit<Call, 'reply' | 'accepted' | OptionalPart<Call>> &
  Partial<Pick<Call, OptionalPart<Call>>>;

/** A call resolves to it. */
type ReplyOf<Call extends EndpointCall> =
  | Call['reply']
  | (Call extends { accepted: infer Accepted } ? Accepted : never);

export interface RequestOptions {
  signal?: AbortSignal;
  /** The request outlives the page. */
  keepalive?: boolean;
}

/** Calls an endpoint: over HTTP in the browser, in the same process on the server. */
export type CallEndpoint = <Call extends EndpointCall>(
  endpoint: Endpoint<Call>,
  input: CallInput<Call> & RequestOptions,
) => Promise<ReplyOf<Call>>;
