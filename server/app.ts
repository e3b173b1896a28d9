import fastifyCookie from '@fastify/cookie';
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance, LogController } from 'fastify';
import { apiPrefix } from '#contract/endpoint.ts';
import { limits } from '#contract/limits.ts';
import { accountRoutes } from './account/routes.ts';
import { undoRoutes } from './account/undo-routes.ts';
import { answerRoutes } from './answers/routes.ts';
import { authRoutes } from './auth/routes.ts';
import { type Config, subnetsOf } from './config.ts';
import type { Database } from './db/database.ts';
import { discoveryRoutes } from './discovery/routes.ts';
import { Broadcast } from './events/broadcast.ts';
import { eventRoutes } from './events/routes.ts';
import { ApiError } from './http/api-error.ts';
import { answers, jsonAnswer } from './http/answer.ts';
import { closeGently } from './http/close-gently.ts';
import { limitConnections } from './http/connection-limit.ts';
import { answerBrokenRequest, answerError, isApi } from './http/errors.ts';
import { guard } from './sessions/guard.ts';
import { securityHeaders, setHeaders } from './http/headers.ts';
import { healthRoutes } from './http/health.ts';
import { nodeOptions, takeWhatNodeRefuses } from './http/left-to-us.ts';
import { Memory } from './http/memory.ts';
import { openApi } from './http/openapi.ts';
import { takeTurns } from './http/pipelined.ts';
import { readLimit } from './http/read-limit.ts';
import { SecurityLog } from './http/security-log.ts';
import { letSlowReadersGo } from './http/slow-readers.ts';
import { decodable } from './http/decodable.ts';
import { keepApplyingEmailChanges } from './jobs/apply-email-changes.ts';
import { keepClearingDeleted } from './jobs/clear-deleted.ts';
import { keepRemovingExpired } from './jobs/remove-expired.ts';
import { startSender } from './mail/sender.ts';
import type { Transport } from './mail/transport.ts';
import { LimitHits } from './metrics/limit-hits.ts';
import { observeWall } from './metrics/observe-wall.ts';
import { startMetrics } from './metrics/start-metrics.ts';
import { muteRoutes } from './mutes/routes.ts';
import { manifestRoute } from './pages/manifest.ts';
import { robotsRoute } from './pages/robots.ts';
import { pageRoutes } from './pages/routes.ts';
import type { WebBuild } from './pages/web-build.ts';
import type { PostsAnswer } from './posts/posts-answer.ts';
import { postRoutes } from './posts/routes.ts';
import { writingRoutes } from './posts/writing-routes.ts';
import { reportRoutes } from './reports/routes.ts';
import type { Secrets } from './secrets.ts';
import { cookiesFor } from './sessions/cookies.ts';
import { sessionRoutes } from './sessions/routes.ts';

export interface AppOptions {
  config: Config;
  db: Database;
  /** The pages: a build, or what makes one for this app. */
  web: WebBuild | ((app: FastifyInstance) => Promise<WebBuild>);
  secrets: Secrets;
  /** Takes the mail. */
  transport: Transport;
  log: FastifyBaseLogger;
  /** Unix seconds; tests move it. */
  now?: () => number;
}

const assetAgeMs = 365 * 24 * 3_600_000;
const clock = (): number => Math.floor(Date.now() / 1_000);

/** The only way to make the app. */
export async function buildApp({
  config,
  db,
  web,
  secrets,
  transport,
  log,
  now = clock,
}: AppOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    return503OnClosing: false,
    requestTimeout: 10_000,
    // Node looks for slow clients every 30 s unless told otherwise.
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, ...nodeOptions },
    // What is too long is for the call to refuse, in its own words; Node takes no longer addresses than this.
    routerOptions: { maxParamLength: 16_384 },
    clientErrorHandler: answerBrokenRequest,
    rewriteUrl: ({ url = '/' }) => decodable(url),
    frameworkErrors: answerError,
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
  });
  takeTurns(app);
  const limitHits = new LimitHits();
  const security = new SecurityLog(secrets, log);
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    limitHits.note(error);
    if (error instanceof ApiError) security.noteRefusal(error, request);
    answerError(error, request, reply);
  });
  const metrics = config.metrics && startMetrics(app, config.metrics);

  const build = typeof web === 'function' ? await web(app) : web;
  const headers = securityHeaders(build.inlineScripts, config.publicUrl.startsWith('https:'));
  const secondsToWait = readLimit(config.readsPerMinute);
  answers(app, headers);
  app.addHook('onSend', async (request, reply) => setHeaders(reply, isApi(request.url) ? headers.api : headers.page));
  closeGently(app);
  app.addHook('onRequest', (request, _reply, done) => {
    const retryAfter = secondsToWait(request.ip);
    if (retryAfter > 0) throw new ApiError('TOO_MANY_REQUESTS', { retryAfter, limit: 'reads' });
    done();
  });

  takeWhatNodeRefuses(app);
  letSlowReadersGo(app.server);
  limitConnections(app.server, { perAddress: config.connectionsPerAddress, proxies: subnetsOf(config.trustProxy) });
  await app.register(fastifyCookie);
  guard(app, { db, secrets, publicUrl: config.publicUrl, now });
  const outbox = startSender({
    db,
    secrets,
    transport,
    appName: config.appName,
    publicUrl: config.publicUrl,
    log,
    now,
  });
  const stopRemoving = keepRemovingExpired(db, now, log);
  const stopApplying = keepApplyingEmailChanges(db, now, log);
  const stopClearing = keepClearingDeleted(db, now, log);
  app.addHook('onClose', async () => {
    stopRemoving();
    stopApplying();
    stopClearing();
    await outbox.close();
  });
  const cookies = cookiesFor(config.publicUrl);
  const auth = { db, config, secrets, cookies, outbox, security, now };

  const memories = { posts: new Memory<PostsAnswer>(db), discovery: new Memory(db), pages: new Memory(db) };
  const broadcast = new Broadcast(db, log);
  if (metrics) observeWall(metrics, { db, outbox, broadcast, limitHits, security, memories, config, now });

  healthRoutes(app, db);
  postRoutes(app, { db, memory: memories.posts });
  writingRoutes(app, { db, config, now });
  answerRoutes(app, { db, now });
  muteRoutes(app, { db, config, now });
  eventRoutes(app, { db, broadcast, config, cookies, headers: headers.api, now });
  reportRoutes(app, { db, config, now });
  accountRoutes(app, auth);
  undoRoutes(app, auth);
  authRoutes(app, auth);
  sessionRoutes(app, auth);
  const description = jsonAnswer(openApi({ ...config, sessionCookie: cookies.fullName('session') }));
  app.get(`${apiPrefix}/openapi.json`, (_request, reply) => reply.answer(description));

  if (build.folder !== undefined) await assets(app, build.folder);
  const { appName, publicUrl, editWindowSeconds, codeResendSeconds } = config;
  manifestRoute(app, appName);
  robotsRoute(app, publicUrl);
  discoveryRoutes(app, { db, memory: memories.discovery, appName, publicUrl, contact: config.contact, now });
  pageRoutes(app, {
    db,
    memory: memories.pages,
    render: build.render,
    settings: { appName, publicUrl, editWindowSeconds, codeResendSeconds },
    now,
  });
  return app;
}

/** Files under `assets/` carry a hash of their content in their names; the build compressed them. */
async function assets(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    globIgnore: ['.vite/**', '**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      if (path.includes('/assets/')) {
        void reply.header('cache-control', `public, max-age=${assetAgeMs / 1_000}, immutable`);
      } else {
        // Icons and the picture to share: pages elsewhere show them beside links to the wall.
        void reply.header('cache-control', 'public, max-age=3600');
        void reply.header('cross-origin-resource-policy', 'cross-origin');
      }
    },
  });
}
