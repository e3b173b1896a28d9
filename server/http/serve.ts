import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { apiPrefix, type CallOf, type CallSchemas, type Endpoint } from '#contract/endpoint.ts';
import { Answer, PersonalJson } from './answer.ts';
import { refuseNul } from './refuse-nul.ts';

type Part<Call, Name extends string> = Call extends Record<Name, infer Value> ? Value : undefined;

type Reply<Call> = Call extends { reply: infer Value } ? Value : void;

export interface ServedCall<Call> {
  params: Part<Call, 'params'>;
  query: Part<Call, 'query'>;
  body: Part<Call, 'body'>;
  headers: Part<Call, 'headers'>;
  request: FastifyRequest;
  reply: FastifyReply;
}

type Result<Call> = Reply<Call> | Answer | PersonalJson | Readable | undefined;

/**
 * Registers a line of the contract. The handler gets what the schemas let through and returns the reply, an Answer that
 * may also be held in memory, a stream of the reply's JSON, or nothing when it has taken the response over.
 */
export function serve<Schemas extends CallSchemas>(
  app: FastifyInstance,
  endpoint: Endpoint<CallOf<Schemas>>,
  schemas: Schemas,
  handle: (call: ServedCall<CallOf<Schemas>>) => Promise<Result<CallOf<Schemas>>> | Answer,
): void {
  const schema: FastifySchema = {};
  if (schemas.params) schema.params = schemas.params;
  if (schemas.query) schema.querystring = schemas.query;
  if (schemas.body) schema.body = schemas.body;
  if (schemas.headers) schema.headers = schemas.headers;

  app.route({
    method: endpoint.method,
    url: fastifyPath(endpoint),
    schema,
    config: { access: endpoint.access },
    handler(request: FastifyRequest, reply: FastifyReply) {
      refuseNul(request);
      const { params, query, body, headers } = request as unknown as ServedCall<CallOf<Schemas>>;
      const result = handle({ params, query, body, headers, request, reply });
      // What is held ready goes out without waiting for a promise.
      if (!(result instanceof Answer)) return finish(result, reply);
      reply.answer(result);
      return undefined;
    },
  });

  async function finish(result: Promise<unknown>, reply: FastifyReply): Promise<unknown> {
    const value = await result;
    if (value instanceof Answer) return reply.answer(value);
    if (value instanceof PersonalJson) return reply.personal(value, endpoint.status);
    if (reply.sent) return undefined;
    void reply.code(endpoint.status).header('cache-control', 'no-store');
    return reply.send(value);
  }
}

const fastifyPath = ({ path }: Pick<Endpoint, 'path'>): string => apiPrefix + path.replaceAll(/\{(\w+)\}/g, ':$1');
