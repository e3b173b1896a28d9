import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { apiPrefix } from '#contract/endpoint.ts';
import { errors, type ErrorBody } from '#contract/errors.ts';
import { StorageUnavailable } from '../db/database.ts';
import { errorPage } from './error-page.ts';
import { ApiError } from './api-error.ts';

const retryAfterOutage = 5;

/** Answers any failure of any layer in the contract's one form; people who asked for a page get a page. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const known = recognise(error);
  if (known.code === 'INTERNAL') request.log.error({ err: error }, 'request failed');
  if (error instanceof StorageUnavailable) request.log.warn({ err: error }, 'storage unavailable');
  if (known.retryAfter !== undefined) void reply.header('retry-after', known.retryAfter);
  void reply.code(error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? 415 : known.status);
  void reply.header('cache-control', 'no-store');
  if (wantsPage(request)) void reply.type('text/html; charset=utf-8').send(errorPage(known.message));
  else void reply.send(known.body);
}

function recognise(error: FastifyError | Error): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StorageUnavailable) return new ApiError('UNAVAILABLE', { retryAfter: retryAfterOutage });
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return new ApiError('PAYLOAD_TOO_LARGE');
  if (status !== undefined && status >= 400 && status < 500) return new ApiError('INVALID_REQUEST');
  return new ApiError('INTERNAL');
}

export const isApi = (url: string): boolean => url === apiPrefix || url.startsWith(`${apiPrefix}/`);

function wantsPage(request: FastifyRequest): boolean {
  return !isApi(request.url) && (request.headers.accept ?? '').includes('text/html');
}

/** What is not even HTTP, or comes too slowly, never reaches a route. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const body = JSON.stringify({
    code: 'INVALID_REQUEST',
    message: errors.INVALID_REQUEST.message,
  } satisfies ErrorBody);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
