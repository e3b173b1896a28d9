import type { Static, TSchema } from 'typebox';
import type { CallTypes } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';

type KeeperAccess = 'moderator' | 'owner';

/**
 * `public`: anyone. `user`: a valid access token. `cookie`: the session cookie alone. `moderator`: the access token of a
 * moderator or owner, `owner`: of an owner; for everybody else there is no such call.
 */
export type Access = 'public' | 'user' | 'cookie' | KeeperAccess;

export const isForKeepers = (access: Access): access is KeeperAccess => access === 'moderator' || access === 'owner';

export const commonCodes = ['INVALID_REQUEST', 'TOO_MANY_REQUESTS', 'INTERNAL', 'UNAVAILABLE'] as const;

/** Error codes of the calls that check a mailed code. */
export const verifyCodes = ['INVALID_CONFIRM_CODE', 'MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED'] as const;

/**
 * Budgets of the caller. A call spends from one of them; `changeProfile` may spend from several. Their sizes are in
 * `server/limits/writing-budgets.ts`.
 */
export type BudgetName =
  | 'posts'
  | 'edits'
  | 'deletions'
  | 'restorations'
  | 'likes'
  | 'unlikes'
  | 'mutes'
  | 'bookmarks'
  | 'follows'
  | 'settings'
  | 'readings'
  | 'nameChecks'
  | 'suggestions'
  | 'profiles'
  | 'exports'
  | 'carries'
  | 'reports'
  | 'renames'
  | 'acts'
  | 'approvals'
  | 'undos';

interface Described<Of extends Access> {
  /** The name of the call in the descriptions of the API. */
  name: string;
  /** One sentence about the call, for people. */
  says: string;
  access: Of;
  /**
   * The scope that an API token must have for this call; `write` includes `read`. A call without a scope refuses every API
   * token.
   */
  scope?: 'read' | 'write';
  spends?: BudgetName;
  /** The status of a reply, by default 200. Without a reply it is 204. */
  status?: 201;
  /** Error codes besides `commonCodes` and the codes that `access` implies. */
  codes?: readonly ErrorCode[];
  /** Statuses that differ from those in the table of errors. */
  statuses?: Partial<Record<ErrorCode, number>>;
  /** The maximum size of the body, if it differs from `limits.bodyBytes`. */
  bodyBytes?: number;
  /** The response sets or clears the session cookie. */
  setsCookie?: true;
  /** Clients that accept `text/event-stream` get the replies as an event stream. */
  streams?: true;
}

/** One call of the HTTP contract. Its key in the table, `GET /posts/{id}`, is its method and its path. */
export interface Call<Of extends Access = Access, Types extends CallTypes = CallTypes>
  extends Described<Of>, Partial<Record<keyof CallTypes, TSchema>> {
  /** An example of the request and the reply. Optional parts may be left out. */
  example: CallTypes;
  /** Never set. Carries the types of the call. */
  readonly types?: Types;
}

type Part = TSchema | undefined;
type TypesIn<Parts extends Record<keyof CallTypes, Part>> = {
  [Name in keyof Parts as Parts[Name] extends TSchema ? Name : never]: Static<Parts[Name] & TSchema>;
};

/** Gives a call the types of its schemas. */
export const call = <
  Of extends Access,
  Params extends Part = undefined,
  Query extends Part = undefined,
  Body extends Part = undefined,
  Headers extends Part = undefined,
  Reply extends Part = undefined,
  Accepted extends Part = undefined,
>(
  definition: Described<Of> & {
    params?: Params;
    query?: Query;
    body?: Body;
    headers?: Headers;
    reply?: Reply;
    accepted?: Accepted;
    example: NoInfer<
      TypesIn<{ params: Params; query: Query; body: Body; headers: undefined; reply: Reply; accepted: Accepted }>
    >;
  },
) =>
  definition as Call<
    Of,
    TypesIn<{ params: Params; query: Query; body: Body; headers: Headers; reply: Reply; accepted: Accepted }>
  >;

export type TypesOf<Table extends Record<string, Call>> = { [Name in keyof Table]: NonNullable<Table[Name]['types']> };

export const statusOf = ({ status, reply }: Pick<Call, 'status' | 'reply'>): number => (reply ? (status ?? 200) : 204);
