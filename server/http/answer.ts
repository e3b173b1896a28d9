import { hash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const worthCompressing = 1_024;
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const gzip = { level: 5 };

type ContentType = 'application/json; charset=utf-8' | 'text/html; charset=utf-8';

/** A body as ready bytes, compressed at most once per encoding. */
export class Answer {
  readonly body: Buffer;
  readonly type: ContentType;
  readonly status: number;
  readonly etag: string;
  #encoded: Partial<Record<'br' | 'gzip', Buffer>> = {};

  constructor(body: string, type: ContentType, status = 200) {
    this.body = Buffer.from(body);
    this.type = type;
    this.status = status;
    this.etag = `W/"${hash('sha1', this.body, 'base64url')}"`;
  }

  encoded(encoding: 'br' | 'gzip'): Buffer {
    return (this.#encoded[encoding] ??=
      encoding === 'br' ? brotliCompressSync(this.body, brotli) : gzipSync(this.body, gzip));
  }

  /** Roughly what it takes in memory. */
  get bytes(): number {
    return this.body.length * 1.5;
  }
}

export const jsonAnswer = (value: unknown): Answer =>
  new Answer(JSON.stringify(value), 'application/json; charset=utf-8');

/** Sends the answer in the best form this client takes; a client that has it already gets 304. */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const { headers } = request.raw;
  void reply.header('cache-control', 'no-cache').header('etag', answer.etag);
  if (headers['if-none-match'] === answer.etag) return reply.code(304).send();
  void reply.code(answer.status).header('content-type', answer.type);
  if (answer.body.length < worthCompressing) return reply.send(answer.body);
  void reply.header('vary', 'accept-encoding');
  const accepted = headers['accept-encoding'];
  if (typeof accepted !== 'string') return reply.send(answer.body);
  const encoding = accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : undefined;
  if (!encoding) return reply.send(answer.body);
  return reply.header('content-encoding', encoding).send(answer.encoded(encoding));
}
