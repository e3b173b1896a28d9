import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { apiPrefix, type CallOf, type CallSchemas, type Endpoint, statusOf } from '#contract/endpoint.ts';
import { ReadyResponse, PersonalJson } from './response.ts';
import { refuseNul } from './request-guards.ts';

type Part<Call, Name extends string> = Call extends Record<Name, infer Value> ? Value : undefined;

/** The body of a response with status 202. */
export class Accepted<Body> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}

type Reply<Call> = Call extends { reply: infer Value } ? Value : void;

export interface ServedCall<Call> {
  params: Part<Call, 'params'>;
  query: Part<Call, 'query'>;
  body: Part<Call, 'body'>;
  headers: Part<Call, 'headers'>;
  request: FastifyRequest;
  reply: FastifyReply;
}

type Result<Call> =
  | Reply<Call>
  | Accepted<Part<Call, 'accepted'>>
  | ReadyResponse
  | PersonalJson
  | Readable
  | undefined;

/**
 * Registers a call of the contract. The handler gets validated input and returns the reply, a ReadyResponse that may also be
 * cached, a stream of the reply's JSON, or nothing when it has sent the response itself.
 */
export function serve<Schemas extends CallSchemas>(
  app: FastifyInstance,
  endpoint: Endpoint<CallOf<Schemas>>,
  schemas: Schemas,
  handle: (call: ServedCall<CallOf<Schemas>>) => Promise<Result<CallOf<Schemas>>> | ReadyResponse,
): void {
  const status = statusOf(endpoint, schemas);
  const schema: FastifySchema = {};
  if (schemas.params) schema.params = schemas.params;
  if (schemas.query) schema.querystring = schemas.query;
  if (schemas.body) schema.body = schemas.body;
  if (schemas.headers) schema.headers = schemas.headers;

  app.route({
    method: endpoint.method,
    url: apiPrefix + routePath(endpoint.path),
    schema,
    ...(endpoint.bodyBytes !== undefined && { bodyLimit: endpoint.bodyBytes }),
    config: { access: endpoint.access, tokenScope: endpoint.tokenScope },
    handler(request: FastifyRequest, reply: FastifyReply) {
      refuseNul(request);
      const { params, query, body, headers } = request as unknown as ServedCall<CallOf<Schemas>>;
      const result = handle({ params, query, body, headers, request, reply });
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
