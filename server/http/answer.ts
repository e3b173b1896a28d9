import { hash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SecurityHeaders } from './headers.ts';

const worthCompressing = 1_024;
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const gzip = { level: 5 };

export const jsonType = 'application/json; charset=utf-8';
const htmlType = 'text/html; charset=utf-8';
const atomType = 'application/atom+xml; charset=utf-8';
type ContentType =
  | typeof jsonType
  | typeof htmlType
  | typeof atomType
  | 'application/xml; charset=utf-8'
  | 'text/plain; charset=utf-8';
type Encoding = 'identity' | 'br' | 'gzip';

/** A body as ready bytes with its ready headers, compressed at most once per encoding. */
export class Answer {
  readonly body: Buffer;
  readonly type: ContentType;
  readonly status: number;
  /** Where it leads, for a status that leads elsewhere. */
  readonly location: string | undefined;
  #etag: string | undefined;
  #forms: Partial<Record<Encoding, { body: Buffer; head: string[] }>> = {};

  constructor(body: string, type: ContentType, status = 200, location?: string) {
    this.body = Buffer.from(body);
    this.type = type;
    this.status = status;
    this.location = location;
  }

  get etag(): string {
    return (this.#etag ??= `W/"${hash('sha1', this.body, 'base64url')}"`);
  }

  /** The answer in one encoding, with its headers after those that all answers of its kind carry. */
  form(encoding: Encoding, common: readonly string[]): { body: Buffer; head: string[] } {
    return (this.#forms[encoding] ??= this.#make(encoding, common));
  }

  #make(encoding: Encoding, common: readonly string[]): { body: Buffer; head: string[] } {
    const body = this.#encode(encoding);
    const head = [...common, 'cache-control', 'no-cache', 'etag', this.etag, 'content-type', this.type];
    head.push('content-length', String(body.length));
    if (this.body.length >= worthCompressing) head.push('vary', 'accept-encoding');
    if (this.location !== undefined) head.push('location', this.location);
    if (encoding !== 'identity') head.push('content-encoding', encoding);
    return { body, head };
  }

  #encode(encoding: Encoding): Buffer {
    if (encoding === 'br') return brotliCompressSync(this.body, brotli);
    return encoding === 'gzip' ? gzipSync(this.body, gzip) : this.body;
  }

  /** Roughly what it takes in memory. */
  get bytes(): number {
    return this.body.length * 1.5;
  }
}

/** JSON made for one viewer: kept nowhere. */
export class PersonalJson {
  readonly body: Buffer;

  constructor(body: Buffer) {
    this.body = body;
  }
}

export const jsonAnswer = (value: unknown): Answer => new Answer(JSON.stringify(value), jsonType);

/** Leads elsewhere for the time being. Its body is the address, so that its ETag changes with it. */
export const redirectTo = (location: string): Answer =>
  new Answer(location, 'text/plain; charset=utf-8', 302, location);

declare module 'fastify' {
  interface FastifyReply {
    /** Sends ready bytes in the best form this client takes; a client that has them already gets 304. */
    answer(answer: Answer): FastifyReply;
    /** Sends JSON made for one viewer. */
    personal(json: PersonalJson, status: number): FastifyReply;
  }
}

/** Ready bytes go out past Fastify's own serializing and header keeping, which would cost a third of the request. */
export function answers(app: FastifyInstance, { api, page }: SecurityHeaders): void {
  const [forPrograms, forPeople] = [flat(api), flat(page)];
  // Feeds are read by pages of any origin; a browser sends them nobody's cookies.
  const forAnyPage = [...forPrograms, 'access-control-allow-origin', '*'];
  const common = (type: ContentType) => (type === htmlType ? forPeople : type === atomType ? forAnyPage : forPrograms);

  app.decorateReply('answer', function sendReady(this: FastifyReply, answer: Answer): FastifyReply {
    const { headers } = this.request.raw;
    this.hijack();
    if (headers['if-none-match'] === answer.etag) {
      this.raw.writeHead(304, [...common(answer.type), 'cache-control', 'no-cache', 'etag', answer.etag]).end();
      return this;
    }
    const { head, body } = answer.form(encodingFor(answer, headers['accept-encoding']), common(answer.type));
    this.raw.writeHead(answer.status, head).end(body);
    return this;
  });

  const personalHead = [...forPrograms, 'cache-control', 'no-store', 'content-type', jsonType, 'content-length'];
  app.decorateReply('personal', function sendPersonal(this: FastifyReply, { body }: PersonalJson, status: number) {
    this.hijack();
    this.raw.writeHead(status, [...personalHead, String(body.length)]).end(body);
    return this;
  });
}

function encodingFor({ body }: Answer, accepted: string | string[] | undefined): Encoding {
  if (typeof accepted !== 'string' || body.length < worthCompressing) return 'identity';
  if (accepted.includes('br')) return 'br';
  return accepted.includes('gzip') ? 'gzip' : 'identity';
}

const flat = (headers: Record<string, string>): string[] => Object.entries(headers).flat();
