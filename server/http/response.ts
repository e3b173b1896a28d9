import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  type BrotliOptions,
  type CompressCallback,
  constants,
  gzip,
  gzipSync,
  type ZlibOptions,
} from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SecurityHeaders } from './headers.ts';
import type { NoteAnswer } from './slow-answers.ts';

type Encoding = 'identity' | 'br' | 'gzip';

const worthCompressing = 1_024;
/**
 * `window`: the size of the window of brotli, as a power of two. The main thread prepares its memory, even if another thread
 * compresses. At 22, the default, that takes as long as the compression.
 */
const brotli = (quality: number, window: number): BrotliOptions => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: window },
});
/** For responses that are compressed once and sent many times. At quality 4 brotli is larger than gzip. */
const thorough: Levels = { brotli: brotli(5, 18), gzip: { level: 5 } };
/** For a personal page, which has to fit into the first flight of TCP although it is sent once. */
const smallest: Levels = { brotli: brotli(8, 16), gzip: { level: 9 } };
/** For responses to one request: half the time, a sixth more bytes. Below quality 3 brotli is larger than gzip. */
const quick: Levels = { brotli: brotli(3, 16), gzip: { level: 1 } };

interface Levels {
  brotli: BrotliOptions;
  gzip: ZlibOptions;
}

function encode(body: Buffer, encoding: Encoding, levels: Levels): Buffer {
  if (encoding === 'br') return brotliCompressSync(body, levels.brotli);
  return encoding === 'gzip' ? gzipSync(body, levels.gzip) : body;
}

const brotliElsewhere = promisify((body: Buffer, options: BrotliOptions, done: CompressCallback) =>
  brotliCompress(body, options, done),
);
const gzipElsewhere = promisify((body: Buffer, options: ZlibOptions, done: CompressCallback) =>
  gzip(body, options, done),
);

/** Compresses a personal page in another thread if the client accepts that. Sets `content-encoding`. */
export async function compressFor(
  text: string,
  accepted: string | string[] | undefined,
  reply: FastifyReply,
): Promise<Buffer> {
  const body = Buffer.from(text);
  const encoding = encodingFor(body, accepted);
  if (encoding === 'identity') return body;
  void reply.header('content-encoding', encoding);
  return encoding === 'br' ? brotliElsewhere(body, smallest.brotli) : gzipElsewhere(body, smallest.gzip);
}

/** Matches an `Accept-Encoding` that names the coding, unless with `q=0`. */
const allows = (coding: string): RegExp =>
  new RegExp(`(?:^|,)[ \\t]*${coding}[ \\t]*(?:$|,|;[ \\t]*q=(?!0(?:\\.0*)?[ \\t]*(?:$|,)))`, 'i');
const [allowsBrotli, allowsGzip] = [allows('br'), allows('gzip')];

export function encodingFor({ length }: { length: number }, accepted: string | string[] | undefined): Encoding {
  if (typeof accepted !== 'string' || length < worthCompressing) return 'identity';
  if (allowsBrotli.test(accepted)) return 'br';
  return allowsGzip.test(accepted) ? 'gzip' : 'identity';
}

export const jsonType = 'application/json; charset=utf-8';
const htmlType = 'text/html; charset=utf-8';
const atomType = 'application/atom+xml; charset=utf-8';
type ContentType =
  | typeof jsonType
  | typeof htmlType
  | typeof atomType
  | 'application/xml; charset=utf-8'
  | 'text/plain; charset=utf-8';
/** Bytes that many bodies contain but that are in memory only once. */
export interface SharedBytes {
  bytes: Buffer;
  digest: string;
}

interface ResponseOptions {
  status?: number;
  location?: string;
  /** Shared bytes that are sent inside the body. `at`: the number of own bytes before them. */
  shared?: SharedBytes & { at: number };
}

interface Form {
  /** The body in parts. */
  parts: readonly Buffer[];
  head: string[];
}

/** A serialized body with its headers, compressed at most once per encoding. */
export class ReadyResponse {
  /** The own bytes, without the shared ones. */
  body: Buffer;
  readonly type: ContentType;
  readonly status: number;
  readonly location: string | undefined;
  #shared: ResponseOptions['shared'];
  #etag: string | undefined;
  /** The compressed body, kept until its form is made. */
  #brotli: Buffer | undefined;
  #compressing: Promise<void> | undefined;
  #forms: Partial<Record<Encoding, Form>> = {};

  constructor(body: string | Buffer, type: ContentType, { status = 200, location, shared }: ResponseOptions = {}) {
    this.body = typeof body === 'string' ? Buffer.from(body) : body;
    this.type = type;
    this.status = status;
    this.location = location;
    this.#shared = shared;
  }

  /** Must be called before the response is stored, see `copied`. */
  retain(): void {
    this.body = copied(this.body);
  }

  /** The size of the whole body, including the shared bytes. */
  get length(): number {
    return this.body.length + (this.#shared?.bytes.length ?? 0);
  }

  get etag(): string {
    return (this.#etag ??= `W/"${hash('sha1', this.body, 'base64url')}${this.#shared?.digest ?? ''}"`);
  }

  /** Whether the client already has the response, according to its `if-none-match`. */
  isKnownTo({ 'if-none-match': known }: IncomingHttpHeaders): boolean {
    return known !== undefined && (known === '*' ? this.status === 200 : known.includes(this.etag));
  }

  /** The headers that a 304 response has too. */
  get validators(): string[] {
    const vary = this.length >= worthCompressing ? ['vary', 'accept-encoding'] : [];
    return ['cache-control', 'no-cache', 'etag', this.etag, ...vary];
  }

  /** Body and headers in one encoding; `common` are the headers of all responses of this content type. */
  form(encoding: Encoding, common: readonly string[]): Form {
    return (this.#forms[encoding] ??= this.#make(encoding, common));
  }

  #make(encoding: Encoding, common: readonly string[]): Form {
    const parts = this.#encoded(encoding);
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const head = [...common, ...this.validators, 'content-type', this.type, 'content-length', String(length)];
    if (this.location !== undefined) head.push('location', this.location);
    if (encoding !== 'identity') head.push('content-encoding', encoding);
    return { parts, head };
  }

  #encoded(encoding: Encoding): readonly Buffer[] {
    if (encoding === 'identity') return this.#parts();
    const compressed = encoding === 'br' ? this.#brotli : undefined;
    return [compressed ?? copied(encode(this.#whole(), encoding, thorough))];
  }

  #parts(): readonly Buffer[] {
    if (!this.#shared) return [this.body];
    const { at, bytes } = this.#shared;
    return [this.body.subarray(0, at), bytes, this.body.subarray(at)];
  }

  #whole(): Buffer {
    return this.#shared ? Buffer.concat(this.#parts()) : this.body;
  }

  /** The body in an encoding in which it has been sent before. Only for bodies without shared bytes. */
  sentBefore(encoding: Encoding): Buffer | undefined {
    return this.#forms[encoding]?.parts[0];
  }

  /**
   * Resolves when the form for this client is ready; undefined if it is ready now. Brotli takes longer than rendering a page,
   * so it runs in another thread.
   */
  prepare(headers: IncomingHttpHeaders): Promise<void> | undefined {
    const isReady = this.#brotli !== undefined || this.#forms.br !== undefined;
    if (isReady || encodingFor(this, headers['accept-encoding']) !== 'br') return undefined;
    if (this.isKnownTo(headers)) return undefined;
    return (this.#compressing ??= this.#compress());
  }

  async #compress(): Promise<void> {
    try {
      this.#brotli = copied(await brotliElsewhere(this.#whole(), thorough.brotli));
    } finally {
      this.#compressing = undefined;
    }
  }

  /** Estimated size in memory, compressed forms included. */
  get bytes(): number {
    return this.body.length * 1.3 + this.length * 0.2;
  }
}

/** JSON for one viewer; never cached. */
export class PersonalJson {
  readonly body: Buffer;
  /** The response with the same body that visitors get. */
  readonly same: ReadyResponse | undefined;

  constructor(body: Buffer, same?: ReadyResponse) {
    this.body = body;
    this.same = same;
  }
}

export const personalJson = (value: unknown): PersonalJson => new PersonalJson(Buffer.from(JSON.stringify(value)));

export const jsonResponse = (value: unknown): ReadyResponse => new ReadyResponse(JSON.stringify(value), jsonType);

/** A temporary redirect. The body is the address, so that the ETag changes with it. */
export const redirectTo = (location: string): ReadyResponse =>
  new ReadyResponse(location, 'text/plain; charset=utf-8', { status: 302, location });

declare module 'fastify' {
  interface FastifyReply {
    /** Sends a response in the best encoding the client accepts, or 304 when its ETag matches. */
    respond(response: ReadyResponse): FastifyReply;
    /** Sends JSON for one viewer. */
    personal(json: PersonalJson, status: number): FastifyReply;
  }
}

type Send = (request: IncomingMessage, response: ServerResponse, ready: ReadyResponse) => void;

/**
 * Adds reply methods that bypass Fastify's serializer and headers, which take a third of the time of a request. Returns the
 * function that sends a ready response. Responses of a closed wall are sent with `no-store`.
 */
export function decorateReplies(
  app: FastifyInstance,
  { api, page }: SecurityHeaders,
  isClosed: () => boolean = () => false,
  noteAnswer: NoteAnswer = () => {},
): Send {
  const [apiHeaders, pageHeaders] = [flat(api), flat(page)];
  // Pages of any origin may read feeds; browsers send no cookies with such requests.
  const feedHeaders = [...apiHeaders, 'access-control-allow-origin', '*'];
  const common = (type: ContentType) =>
    type === htmlType ? pageHeaders : type === atomType ? feedHeaders : apiHeaders;

  const send: Send = ({ headers }, response, ready) => {
    const isStored = !isClosed();
    if (isStored && ready.isKnownTo(headers)) {
      response.writeHead(304, [...common(ready.type), ...ready.validators]).end();
      return;
    }
    const { head, parts } = ready.form(encodingFor(ready, headers['accept-encoding']), common(ready.type));
    response.writeHead(ready.status, isStored ? head : unstored(head));
    for (let i = 0; i < parts.length - 1; i += 1) response.write(parts[i]);
    response.end(parts.at(-1));
  };
  app.decorateReply('respond', function respond(this: FastifyReply, ready: ReadyResponse): FastifyReply {
    this.hijack();
    noteAnswer(this.request, ready.status);
    send(this.request.raw, this.raw, ready);
    return this;
  });

  const personalHead = [...apiHeaders, 'cache-control', 'no-store', 'content-type', jsonType];
  app.decorateReply('personal', function sendPersonal(this: FastifyReply, json: PersonalJson, status: number) {
    const encoding = encodingFor(json.body, this.request.raw.headers['accept-encoding']);
    const body = json.same?.sentBefore(encoding) ?? encode(json.body, encoding, quick);
    const head = [...personalHead, 'content-length', String(body.length)];
    if (encoding !== 'identity') head.push('content-encoding', encoding);
    this.hijack();
    noteAnswer(this.request, status);
    this.raw.writeHead(status, head).end(body);
    return this;
  });
  return send;
}

/** The headers of a form without its validators. */
function unstored(head: readonly string[]): string[] {
  const at = head.indexOf('cache-control');
  return [...head.slice(0, at), 'cache-control', 'private, no-store', ...head.slice(head.indexOf('etag') + 2)];
}

/** Node cuts small buffers from pieces of 64 KiB. A stored buffer would keep its whole piece in memory, so it is copied. */
function copied(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

const flat = (headers: Record<string, string>): string[] => Object.entries(headers).flat();
