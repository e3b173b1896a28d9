import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { CallEndpoint, Calls } from '#contract/calls.ts';
import type { CallTypes } from '#contract/endpoint.ts';
import type { Tag } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

/** The reply of a public call as every visitor gets it, and the tags on which it depends. */
export interface TaggedReply<Reply> {
  reply: Reply;
  tags: readonly Tag[];
}

type Read = (input: CallTypes, db: Kysely<Schema>, ip: string) => Promise<TaggedReply<unknown>>;

declare module 'fastify' {
  interface FastifyInstance {
    readable: Map<string, Read>;
  }
}

/**
 * Lets pages read an endpoint in the same process. `read` must not use a cache that lags behind the database. `db` is the
 * primary or a replica. The page is made again from the primary when the replica lacks a write to one of the page's tags.
 * `ip` is the address of the client for whom the page is made.
 */
export function readable<Name extends keyof Calls, Types extends CallTypes = Calls[Name]>(
  app: FastifyInstance,
  name: Name,
  read: (input: Omit<Types, 'reply'>, db: Kysely<Schema>, ip: string) => Promise<TaggedReply<Types['reply']>>,
): void {
  app.readable.set(name, read as Read);
}

/** Makes calls in the same process, without HTTP and as a visitor. The tags of the replies are added to `tags`. */
export function callInProcess({ server: app, ip }: FastifyRequest, db: Kysely<Schema>, tags: Tag[]): CallEndpoint {
  const call = async (name: string, input: CallTypes): Promise<unknown> => {
    const tagged = await app.readable.get(name)!({ query: {}, ...input }, db, ip);
    tags.push(...tagged.tags);
    return tagged.reply;
  };
  return call as CallEndpoint;
}
