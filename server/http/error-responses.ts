import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { apiPrefix } from '#contract/endpoint.ts';
import { type ErrorBody, errors } from '#contract/errors.ts';
import { escapeHtml } from '#contract/text-parts.ts';
import { StorageDamaged, StorageUnavailable } from '../db/database.ts';
import { isOutOfFiles } from './open-files.ts';
import type { SecurityHeaders } from './headers.ts';
import { ApiError } from './thrown-api-error.ts';

const retryAfterOutage = 5;

/** Sends every error in the contract's form, or as a page when the browser asked for one. */
export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const known = toApiError(error);
  // Damage of the database has been logged as an outage of writes when it was detected.
  if (known.code === 'INTERNAL' && !(error instanceof StorageDamaged))
    request.log.error({ reqId: request.id, err: error }, 'request failed');
  if (known.retryAfter !== undefined) void reply.header('retry-after', known.retryAfter);
  const isBeyondFile = error.statusCode === 416;
  if (isBeyondFile) void reply.headers((error as { headers?: Record<string, string> }).headers ?? {});
  void reply.code(error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? 415 : isBeyondFile ? 416 : known.status);
  void reply.header('cache-control', 'no-store');
  if (wantsPage(request)) void reply.type('text/html; charset=utf-8').send(errorPage(known));
  else void reply.send(known.body);
}

export function toApiError(error: FastifyError | Error): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StorageUnavailable) return new ApiError('UNAVAILABLE', { retryAfter: retryAfterOutage });
  if (isOutOfFiles(error)) return new ApiError('UNAVAILABLE', { retryAfter: retryAfterOutage });
  // A page that was requested before the process began to stop may make its calls after that.
  if ('code' in error && error.code === 'FST_ERR_REOPENED_CLOSE_SERVER')
    return new ApiError('UNAVAILABLE', { retryAfter: 1 });
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return new ApiError('PAYLOAD_TOO_LARGE');
  if (status !== undefined && status >= 400 && status < 500) return new ApiError('INVALID_REQUEST');
  return new ApiError('INTERNAL');
}

export const isApi = (url: string): boolean => url === apiPrefix || url.startsWith(`${apiPrefix}/`);

function wantsPage(request: FastifyRequest): boolean {
  return !isApi(request.url) && (request.headers.accept ?? '').includes('text/html');
}

/** A path of this site with bytes above 127, as `curl` sends what was typed. Node's parser refuses them. */
const rawPath = /^(?:GET|HEAD) (\/(?![/\\])[^\0- \x7f]*) HTTP\/1\.[01]\r\n/;

/** The address percent-encoded; undefined if the request has another fault besides the raw bytes. */
function encodedAddress({ code, rawPacket, bytesParsed }: ConnectionError): string | undefined {
  if (code !== 'HPE_INVALID_URL') return undefined;
  // Fastify's types describe the packet as JSON.
  const [line = '', path] = rawPath.exec((rawPacket as unknown as Buffer).toString('latin1')) ?? [];
  const encoded = path?.replaceAll(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  return bytesParsed < line.length && encoded !== path ? encoded : undefined;
}

/** Responds to requests that are not valid HTTP or arrive too slowly. They reach no route and no hook, so headers are set here. */
export const refuseBrokenRequest = (headers: SecurityHeaders['api']) => (error: ConnectionError, socket: Socket) => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const close = (status: number, own: readonly string[], body: string): void => {
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...own,
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  };
  const location = encodedAddress(error);
  if (location !== undefined) {
    close(308, [`location: ${location}`], '');
    return;
  }
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const body = JSON.stringify({
    code: 'INVALID_REQUEST',
    message: errors.INVALID_REQUEST.message,
  } satisfies ErrorBody);
  close(status, ['content-type: application/json; charset=utf-8'], body);
};

/** The page shown when rendering fails or is refused for now. It has no script or style that could fail too. */
const errorPage = ({ code, message }: ApiError): string => `<!doctype html>
<html lang="ru">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="dark light">
<title>${code === 'TOO_MANY_REQUESTS' ? 'Подождите немного' : 'Ошибка'}</title>
<h1>${code === 'TOO_MANY_REQUESTS' ? 'Подождите немного' : 'Не получилось открыть страницу'}</h1>
<p>${escapeHtml(message)}</p>
<p><a href="">Попробовать ещё раз</a></p>
</html>
`;
