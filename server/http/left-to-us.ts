import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.ts';

/** With Node's `requireHostHeader` on, it answers what names no host itself, in a form that is not the contract's. */
export const nodeOptions = { requireHostHeader: false };

/** What Node would otherwise answer with a bare status. */
export function takeWhatNodeRefuses(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.headers.host === undefined && raw.httpVersion === '1.1') throw new ApiError('INVALID_REQUEST');
    done();
  });
  // Whoever expects more than leave to send a body gets the answer all the same.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
}
