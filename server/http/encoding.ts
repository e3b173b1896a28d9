import { brotliCompressSync, type BrotliOptions, constants, gzipSync, type ZlibOptions } from 'node:zlib';
import type { FastifyReply } from 'fastify';

export type Encoding = 'identity' | 'br' | 'gzip';

export const worthCompressing = 1_024;
/** For what is compressed once and sent many times. */
export const thorough: Levels = { brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, gzip: { level: 5 } };
/** For a personal page, which has to fit into the first flight of TCP although it is sent once. */
const smallest: Levels = { brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }, gzip: { level: 9 } };
/** For what is compressed for one request: a third of the time, a tenth more bytes. */
export const quick: Levels = { brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }, gzip: { level: 1 } };

interface Levels {
  brotli: BrotliOptions;
  gzip: ZlibOptions;
}

export function encode(body: Buffer, encoding: Encoding, levels: Levels): Buffer {
  if (encoding === 'br') return brotliCompressSync(body, levels.brotli);
  return encoding === 'gzip' ? gzipSync(body, levels.gzip) : body;
}

/** A personal page, compressed if the client accepts that. Sets the header for it. */
export function compressFor(text: string, accepted: string | string[] | undefined, reply: FastifyReply): Buffer {
  const body = Buffer.from(text);
  const encoding = encodingFor(body, accepted);
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  return encode(body, encoding, smallest);
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
