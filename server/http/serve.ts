import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { type Call, statusOf } from '#contract/call.ts';
import { type Calls, calls } from '#contract/calls.ts';
import { apiPrefix, endpointOf } from '#contract/endpoint.ts';
import { parseId } from '../db/ids.ts';
import { ApiError } from './thrown-api-error.ts';
import { refuseNul } from './request-guards.ts';
import { PersonalJson, ReadyResponse } from './response.ts';

/** The id in a path. A malformed id is handled as an unknown one. */
export const idOf = (params: { id: string }): number => orNotFound(parseId(params.id));

/** Throws NOT_FOUND in place of undefined. */
export function orNotFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ApiError('NOT_FOUND');
  return found;
}

/** Throws INVALID_REQUEST in place of undefined, which parsers return for malformed input. */
export function orInvalid<Parsed>(parsed: Parsed | undefined): Parsed {
  if (parsed === undefined) throw new ApiError('INVALID_REQUEST');
  return parsed;
}

/** Limits reads for members. Each member has a share of the time. */
export interface MemberShares {
  /** Throws if the member has used up the share or too many reads of the member wait. Called before anything is read. */
  refuseOver(userId: number): void;
  run<T>(userId: number, make: () => Promise<T> | T): Promise<T>;
}

declare module 'fastify' {
  interface FastifyInstance {
    members: MemberShares;
  }
}

type Part<Types, Name extends string> = Types extends Record<Name, infer Value> ? Value : undefined;

/** The body of a response with status 202. */
export class Accepted<Body> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}

type Reply<Types> = Types extends { reply: infer Value } ? Value : void;

export interface ServedCall<Types> {
  params: Part<Types, 'params'>;
  query: Part<Types, 'query'>;
  body: Part<Types, 'body'>;
  headers: Part<Types, 'headers'>;
  request: FastifyRequest;
  reply: FastifyReply;
}

type Result<Types> =
  | Reply<Types>
  | Accepted<Part<Types, 'accepted'>>
  | ReadyResponse
  | PersonalJson
  | Readable
  | undefined;

/**
 * Registers a call of the contract. The handler gets validated input and returns the reply, `Accepted`, a ReadyResponse that may
 * also be cached, JSON for one viewer, or a stream of the reply's JSON. It returns nothing if the call has no reply, or if it has
 * sent the response itself.
 */
export function serve<Name extends keyof Calls>(
  app: FastifyInstance,
  name: Name,
  handle: (call: ServedCall<Calls[Name]>) => Promise<Result<Calls[Name]>> | ReadyResponse,
): void {
  const call: Call = calls[name];
  const { method, path } = endpointOf(name);
  const status = statusOf(call);
  const schema: FastifySchema = {};
  if (call.params) schema.params = call.params;
  if (call.query) schema.querystring = call.query;
  if (call.body) schema.body = call.body;
  if (call.headers) schema.headers = call.headers;

  /** Reads for a member use the member's share. Writes have budgets. */
  const respond = (served: ServedCall<Calls[Name]>) => {
    const { caller } = served.request;
    if (method !== 'GET' || !caller) return handle(served);
    return app.members.run(caller.userId, () => handle(served));
  };

  app.route({
    method,
    url: apiPrefix + routePath(path),
    schema,
    ...(call.bodyBytes !== undefined && { bodyLimit: call.bodyBytes }),
    config: { access: call.access, tokenScope: call.scope, spends: call.spends },
    handler(request: FastifyRequest, reply: FastifyReply) {
      refuseNul(request);
      const { params, query, body, headers } = request as unknown as ServedCall<Calls[Name]>;
      const result = respond({ params, query, body, headers, request, reply });
      // A cached response is sent without waiting for a promise.
      if (!(result instanceof ReadyResponse)) return finish(result, reply);
      reply.respond(result);
      return undefined;
    },
  });

  async function finish(result: Promise<unknown>, reply: FastifyReply): Promise<unknown> {
    const value = await result;
    if (value instanceof ReadyResponse) return reply.respond(value);
    if (value instanceof PersonalJson) return reply.personal(value, status);
    if (reply.sent) return undefined;
    const isAccepted = value instanceof Accepted;
    void reply.code(isAccepted ? 202 : status).header('cache-control', 'no-store');
    return reply.send(isAccepted ? value.body : value);
  }
}

/** A path of the contract as Fastify writes it: `{id}` is `:id`, `{name:a|b}` is `:name(^(a|b)$)`. */
export const routePath = (path: string): string =>
  path.replaceAll(/\{(\w+):?(.*?)\}/g, (_, name: string, values: string) => `:${name}${values && `(^(${values})$)`}`);
