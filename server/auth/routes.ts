import type { FastifyInstance } from 'fastify';
import * as schema from '#contract/auth.schema.ts';
import * as auth from '#contract/auth.ts';
import { ApiError } from '../http/api-error.ts';
import { serve } from '../http/serve.ts';
import { findMailState } from '../mail/outbox.ts';
import type { AuthOptions } from './auth-options.ts';
import { makeStart } from './start.ts';
import { makeVerify } from './verify.ts';

export function authRoutes(app: FastifyInstance, options: AuthOptions): void {
  const start = makeStart(options);
  const verify = makeVerify(options);

  serve(app, auth.startLogin, schema.startLogin, ({ body, request }) => start('login', body, request));

  serve(app, auth.verifyLogin, schema.verifyLogin, ({ params, body, ...http }) =>
    verify('login', params.id, body, http),
  );

  serve(app, auth.startRegistration, schema.startRegistration, ({ body, request }) =>
    start('registration', body, request),
  );

  serve(app, auth.verifyRegistration, schema.verifyRegistration, ({ params, body, ...http }) =>
    verify('registration', params.id, body, http),
  );

  serve(app, auth.getMailState, schema.getMailState, async ({ params, query }) => {
    const state = await findMailState(options.db.read, params.id, query.clientToken);
    if (!state) throw new ApiError('NOT_FOUND');
    return { state };
  });
}
