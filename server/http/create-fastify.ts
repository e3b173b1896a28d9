import { AjvCompiler } from '@fastify/ajv-compiler';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifySchemaCompiler,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { limits } from '#contract/limits.ts';
import { refuseBrokenRequest, sendError } from './errors.ts';
import { decodable, nodeOptions } from './request-guards.ts';

/** One for all apps of the process: Ajv compiles each schema of the contract once. Its names of headers are in lower case. */
const buildCompiler = AjvCompiler();

type Compile = FastifySchemaCompiler<unknown>;

/** Compiles a schema when the first request needs it: compiling all of them would take a third of the time of a start. */
const buildValidator = ((...options) => {
  let compile: Compile | undefined;
  const compileLater: Compile = (part) => {
    let compiled: ReturnType<Compile> | undefined;
    const validate: ReturnType<Compile> = (value) => {
      compile ??= buildCompiler(...options) as unknown as Compile;
      compiled ??= compile(part);
      const isValid = compiled(value);
      validate.errors = compiled.errors ?? null;
      return isValid;
    };
    return validate;
  };
  return compileLater as unknown as ReturnType<typeof buildCompiler>;
}) satisfies typeof buildCompiler;

export function createFastify(
  trusted: NonNullable<FastifyServerOptions['trustProxy']>,
  log: FastifyBaseLogger,
): FastifyInstance {
  return Fastify({
    // With a logger of its own, Fastify makes a child of it and listens to the end of the response for each request, which
    // takes a tenth of the time of a cached response. Errors are logged through this one.
    childLoggerFactory: () => log,
    // Otherwise it would log every request, with its body.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    trustProxy: trusted,
    return503OnClosing: false,
    requestTimeout: 10_000,
    // Node checks for slow clients every 30 s by default.
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, ...nodeOptions },
    // The longest URL that Node accepts, so that the route rejects a long parameter with its own error.
    routerOptions: { maxParamLength: 16_384 },
    clientErrorHandler: refuseBrokenRequest,
    rewriteUrl: ({ url = '/' }) => decodable(url),
    frameworkErrors: sendError,
    schemaController: { compilersFactory: { buildValidator } },
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
  });
}
