export const apiPrefix = '/api/v1';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Method and path of a call. The path is relative to `apiPrefix`, with parameters in braces. */
export function endpointOf(call: string): { method: Method; path: string } {
  const [method, path] = call.split(' ') as [Method, string];
  return { method, path };
}

/** The types of what a call sends and gets. */
export interface CallTypes {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  headers?: unknown;
  reply?: unknown;
  /** The reply with status 202: what was sent takes effect later. */
  accepted?: unknown;
}

/** The parts of a call in which nothing is required. */
type OptionalPart<Types> = { [Part in keyof Types]: object extends Types[Part] ? Part : never }[keyof Types];

/** Everything of a call but its replies. */
type CallInput<Types extends CallTypes> = Omit<Types, 'reply' | 'accepted' | OptionalPart<Types>> &
  Partial<Pick<Types, OptionalPart<Types>>>;

/** A call resolves to it. */
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
