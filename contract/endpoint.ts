export const apiPrefix = '/api/v1';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Method and path of a call. The path is relative to `apiPrefix`, with parameters in braces. */
export function endpointOf(call: string): { method: Method; path: string } {
  const [method, path] = call.split(' ') as [Method, string];
  return { method, path };
}

/** The types of the parts of a request and of its replies. */
export interface CallTypes {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  headers?: unknown;
  reply?: unknown;
  /** The reply with status 202: the request takes effect later. */
  accepted?: unknown;
}

/** The parts of a request that have no required properties. */
type OptionalPart<Types> = { [Part in keyof Types]: object extends Types[Part] ? Part : never }[keyof Types];

/** The parts of a request. */
type CallInput<Types extends CallTypes> = Omit<Types, 'reply' | 'accepted' | OptionalPart<Types>> &
  Partial<Pick<Types, OptionalPart<Types>>>;

type ReplyOf<Types extends CallTypes> =
  | Types['reply']
  | (Types extends { accepted: infer Accepted } ? Accepted : never);

export interface RequestOptions {
  signal?: AbortSignal;
  /** The request outlives the page. */
  keepalive?: boolean;
}

/** Makes the calls of a table: over HTTP in the browser, in the same process on the server. */
export type CallerOf<Calls extends { [Name in keyof Calls]: CallTypes }> = <Name extends keyof Calls>(
  call: Name,
  input: CallInput<Calls[Name]> & RequestOptions,
) => Promise<ReplyOf<Calls[Name]>>;
