import type { IncomingMessage } from 'node:http';
import { AjvCompiler } from '@fastify/ajv-compiler';
import fastifyCookie from '@fastify/cookie';
import proxyAddr from '@fastify/proxy-addr';
import fastifyStatic from '@fastify/static';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifySchemaCompiler,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { apiPrefix } from '#contract/endpoint.ts';
import { limits } from '#contract/limits.ts';
import { type Config, subnetsOf } from './config.ts';
import { type Database, StorageUnavailable } from './db/database.ts';
import { logFailure, logOutages } from './db/write-outage.ts';
import { accountRoutes } from './features/account/account-routes.ts';
import { apiTokenRoutes } from './features/account/api-token-routes.ts';
import { claimRoutes } from './features/account/claim-routes.ts';
import { emailRoutes } from './features/account/email-routes.ts';
import { peopleRoutes } from './features/account/people-routes.ts';
import { suggestionRoutes } from './features/account/suggestion-routes.ts';
import { carryRoutes } from './features/carries/carry-routes.ts';
import { eventRoutes, makeReadOwn, outsidersAmong } from './features/live/live-routes.ts';
import { deskRoutes } from './features/moderation/desk/desk-routes.ts';
import { muteRoutes } from './features/mutes/mute-routes.ts';
import { letterWriters } from './features/notifications/letters/letter-writers.ts';
import { wordRoutes } from './features/words/word-routes.ts';
import { pushHosts } from './features/notifications/push/push-hosts.ts';
import { pushRoutes } from './features/notifications/push/push-routes.ts';
import { startPushSender } from './features/notifications/push/push-sender.ts';
import { openWallKey } from './features/notifications/push/push-store.ts';
import { notificationRoutes, unsubscribeRoutes } from './features/notifications/notification-routes.ts';
import type { PostsResponse } from './features/posts/routes/list-http.ts';
import { ownListRoutes, postRoutes } from './features/posts/routes/reading-posts-routes.ts';
import { authorRoutes, bookmarkRoutes, sharedRoutes, writingRoutes } from './features/posts/routes/writing-routes.ts';
import { readingRoutes } from './features/reading/reading-routes.ts';
import { reportRoutes } from './features/reports/report-routes.ts';
import { searchRoutes } from './features/search/search-routes.ts';
import { closeWall, KnownMembers } from './features/sessions/closed-wall-http.ts';
import { cookiesFor } from './features/sessions/cookies.ts';
import { showOwnWrites } from './features/sessions/own-writes.ts';
import { guard } from './features/sessions/session-http.ts';
import { sessionRoutes } from './features/sessions/session-routes.ts';
import { signInRoutes } from './features/sign-in/sign-in-routes.ts';
import { wallAdminRoutes } from './features/wall-admin/wall-admin-routes.ts';
import { openWallTexts } from './features/wall-texts/operator-texts.ts';
import { openWallSettings } from './features/wall-texts/wall-settings.ts';
import { wallTextRoutes } from './features/wall-texts/wall-text-routes.ts';
import {
  closeGracefully,
  closeStalledConnections,
  limitConnections,
  queuePipelinedRequests,
} from './http/connections.ts';
import { isApi, refuseBrokenRequest, sendError } from './http/error-responses.ts';
import { FastPath } from './http/fast-path.ts';
import { securityHeaders, type SecurityHeaders, setHeaders } from './http/headers.ts';
import { watchOpenFiles } from './http/open-files.ts';
import { openApi } from './http/openapi.ts';
import {
  addressOfRequest,
  allowEmptyBodies,
  handleNodeRefusals,
  healthRoutes,
  limitReads,
  nodeOptions,
  refuseOtherMethods,
  warnOfOneAddress,
} from './http/request-guards.ts';
import { ResponseCache } from './http/response-cache.ts';
import { decorateReplies, jsonResponse } from './http/response.ts';
import { SecurityLog } from './http/security-log.ts';
import { logSlowAnswers } from './http/slow-answers.ts';
import { ApiError } from './http/thrown-api-error.ts';
import { Broadcast, type Outsiders } from './live/broadcast.ts';
import { startSender } from './mail/sender.ts';
import type { Transport } from './mail/transport.ts';
import { wallJobs } from './ops/jobs/wall-jobs.ts';
import { serveMetrics } from './ops/metrics/serve-metrics.ts';
import { LimitHits, observeWall } from './ops/metrics/wall-metrics.ts';
import { wallHealth } from './ops/wall-health.ts';
import { apiText } from './pages/api/api-text.ts';
import { callLimits } from './pages/api/call-limits.ts';
import { feedRoutes } from './pages/feeds.ts';
import { pageRoutes } from './pages/page-routes.ts';
import { TimedMemberShares, VisitorShare } from './limits/read-shares-http.ts';
import { siteFileRoutes } from './pages/site-files.ts';
import { sitemapRoutes } from './pages/sitemap.ts';
import type { WebBuild } from './pages/web-build.ts';
import type { Secrets } from './secrets.ts';

/**
 * All apps of the process share one compiler, so each schema of the contract is compiled once. Fastify does not convert header
 * names in schemas to lower case for a custom compiler; those of the contract are in lower case.
 */
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

function createFastify(
  trusted: NonNullable<FastifyServerOptions['trustProxy']>,
  log: FastifyBaseLogger,
  headers: SecurityHeaders['api'],
): FastifyInstance {
  return Fastify({
    // Fastify's own logger would make a child and listen to the end of the response for each request, which takes a tenth of the
    // time of a cached response. Errors are logged with `log`.
    childLoggerFactory: () => log,
    // Without this Fastify would log every request, with its body.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    trustProxy: trusted,
    return503OnClosing: false,
    requestTimeout: 10_000,
    // Node checks for slow clients every 30 s by default.
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, ...nodeOptions },
    // The longest URL that Node accepts, so that the route rejects a long parameter with its own error.
    routerOptions: { maxParamLength: 16_384 },
    clientErrorHandler: refuseBrokenRequest(headers),
    rewriteUrl: ({ url = '/' }) => addressOfRequest(url),
    frameworkErrors: sendError,
    schemaController: { compilersFactory: { buildValidator } },
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
  });
}

export interface AppOptions {
  config: Config;
  db: Database;
  /** The web build, or a function that makes one for this app. */
  web: WebBuild | ((app: FastifyInstance) => Promise<WebBuild>);
  secrets: Secrets;
  transport: Transport;
  log: FastifyBaseLogger;
  /** Unix seconds; tests set it. */
  now?: () => number;
}

const assetMaxAgeSeconds = 365 * 24 * 3_600;
const systemClock = (): number => Math.floor(Date.now() / 1_000);

/**
 * Builds the app; used by the server, tests and tools. Fastify runs hooks in the order of registration, so a request
 * passes them in the order below.
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, db, web, secrets, transport, log, now = systemClock } = options;
  const { publicUrl } = config;
  const wall = await openWallSettings(db, config);
  const trusted = config.trustProxy.length > 0 && proxyAddr.compile(config.trustProxy);
  const isSecure = publicUrl.startsWith('https:');
  const app = createFastify(trusted, log, securityHeaders(undefined, isSecure).api);
  const addressOf = (request: IncomingMessage): string =>
    trusted ? proxyAddr(request, trusted) : (request.socket.remoteAddress ?? '');

  logOutages(db, log);
  queuePipelinedRequests(app);
  const noteAnswer = logSlowAnswers(app, log);
  const openFiles = watchOpenFiles(app, log, now);
  const limitHits = new LimitHits();
  const security = new SecurityLog(secrets, log);
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    limitHits.note(error);
    if (error instanceof ApiError) security.noteRefusal(error, request);
    if (error instanceof StorageUnavailable)
      logFailure(options, { reqId: request.id, err: error }, 'storage unavailable');
    sendError(error, request, reply);
  });
  const metrics = config.metrics && serveMetrics(app, config.metrics);

  const build = typeof web === 'function' ? await web(app) : web;
  const headers = securityHeaders(build.inline, isSecure);
  const isClosed = () => wall.readers === 'members';
  const send = decorateReplies(app, headers, isClosed, noteAnswer);
  // One hook without a promise: each costs time of every response.
  app.addHook('onSend', (request, reply, _payload, done) => {
    setHeaders(reply, isApi(request.url) ? headers.api : headers.page);
    noteAnswer(request, reply.statusCode);
    done();
  });
  closeGracefully(app);
  const secondsToWait = limitReads(app, config.readsPerMinute);
  const cookies = cookiesFor(publicUrl);
  const known = new KnownMembers({ db, cookies, now });
  const isBehind = showOwnWrites(app, db, cookies, secrets);
  app.decorate(
    'fastPath',
    new FastPath(app, {
      isBehind,
      isShut: (request) => isClosed() && !known.has(request),
      secondsToWait: (request) => secondsToWait(addressOf(request)),
      send,
      log,
    }),
  );
  if (!trusted && config.addressFactor === 1) warnOfOneAddress(app, log);
  handleNodeRefusals(app);
  allowEmptyBodies(app);
  closeStalledConnections(app.server);
  limitConnections(app.server, { perAddress: config.connectionsPerAddress, proxies: subnetsOf(config.trustProxy) });
  // The hook is off: calls that read a cookie parse the header themselves.
  await app.register(fastifyCookie, { hook: false });
  closeWall(app, { db, isClosed, known, now });
  refuseOtherMethods(app);
  guard(app, { db, secrets, publicUrl, now });

  const letters = letterWriters({ db, secrets, wall, now });
  const outbox = startSender({ db, secrets, transport, lettersPerDay: config.lettersPerDay, wall, letters, log, now });
  const hosts = pushHosts(config.pushHosts);
  const key = await openWallKey(db, secrets, config.secretPrevious !== undefined);
  const pushes = startPushSender({ db, key, hosts, wall, log, now });
  const jobs = wallJobs({ db, secrets, log, now });
  jobs.start();
  app.addHook('onClose', async () => {
    await jobs.close();
    await Promise.all([outbox.close(), pushes.close()]);
  });
  const outsiders: Outsiders = async (read, all) => (isClosed() ? outsidersAmong(read, all, now()) : []);
  const broadcast = new Broadcast(db, log, makeReadOwn(now), outsiders);
  const caches = {
    posts: new ResponseCache<PostsResponse>(db),
    discovery: new ResponseCache(db),
    pages: new ResponseCache(db),
  };
  const health = wallHealth({ db, jobs, config, openFiles, now });
  if (metrics) observeWall(metrics, { db, health, outbox, pushes, jobs, broadcast, limitHits, security, caches });

  const wallTexts = await openWallTexts({ config, wall, log });
  const sessionOptions = { db, config, secrets, cookies, outbox, security, now };
  app.decorate('readable', new Map());
  app.decorate('members', new TimedMemberShares({ isOff: !config.rateLimits }));
  healthRoutes(app, db);
  const visitors = new VisitorShare(secondsToWait, { isOff: !config.rateLimits });
  const postOptions = { db, cache: caches.posts, wallTexts, visitors, now };
  postRoutes(app, postOptions);
  ownListRoutes(app, postOptions);
  writingRoutes(app, { db, config, wall, now });
  carryRoutes(app, { db, config, wall, now });
  searchRoutes(app, { db, config });
  notificationRoutes(app, { db, config, wall, now });
  pushRoutes(app, { db, config, key, hosts, now });
  unsubscribeRoutes(app, { db, secrets, now });
  sharedRoutes(app, { db, config, now });
  bookmarkRoutes(app, { db, config, now });
  authorRoutes(app, { db, config, now });
  muteRoutes(app, { db, config, now });
  wordRoutes(app, { db, config, now });
  readingRoutes(app, { db, config, now });
  eventRoutes(app, { db, broadcast, config, cookies, headers: headers.api, countReads: secondsToWait, now });
  reportRoutes(app, { db, config, now });
  accountRoutes(app, { ...sessionOptions, wall, visitors });
  emailRoutes(app, sessionOptions);
  apiTokenRoutes(app, sessionOptions);
  claimRoutes(app, sessionOptions);
  suggestionRoutes(app, { db, config, now });
  peopleRoutes(app, { db, now });
  signInRoutes(app, { ...sessionOptions, wall, wallTexts });
  sessionRoutes(app, sessionOptions);
  deskRoutes(app, { ...sessionOptions, wall });
  wallAdminRoutes(app, { ...sessionOptions, wall, wallTexts, health });
  const sessionCookie = cookies.fullName('session');
  const once = <T>(make: () => T) => madeForVersion(make, wall);
  const described = () => ({ ...config, appName: wall.appName, contact: wall.contact, sessionCookie });
  const description = once(() => openApi({ ...described(), limits: callLimits(config) }));
  const descriptionResponse = once(() => jsonResponse(description()));
  app.get(`${apiPrefix}/openapi.json`, (_request, reply) => reply.respond(descriptionResponse()));
  const apiPage = once(() => apiText(description(), described()));
  wallTextRoutes(app, wallTexts, apiPage);

  if (build.folder !== undefined) await serveAssets(app, build.folder);
  const visitorPaths = build.personal.paths.filter(({ forVisitors }) => forVisitors).map(({ path }) => path);
  const { securedPaths } = build;
  siteFileRoutes(app, { wall, securedPaths, visitorPaths, now });
  feedRoutes(app, { cache: caches.discovery, wall, visitors });
  sitemapRoutes(app, { cache: caches.discovery, publicUrl, visitors });
  const { editWindowSeconds, codeResendSeconds, smtpUrl } = config;
  pageRoutes(app, {
    cache: caches.pages,
    web: build,
    wallTexts,
    wall,
    settings: { publicUrl, editWindowSeconds, codeResendSeconds, hasNoMail: smtpUrl === undefined || undefined },
    secrets,
    cookies,
    searchNeedsSession: config.search === 'members',
    known,
    visitors,
    db,
    now,
  });
  return app;
}

/**
 * Makes the description of the API when it is first needed, because it takes 20 ms and most processes never need it. It contains
 * the name of the wall, so it is made again when `version` has changed.
 */
function madeForVersion<T>(make: () => T, { version }: { version(): number }): () => T {
  let made: { thing: T; version: number } | undefined;
  return () => (made = made?.version === version() ? made : { thing: make(), version: version() }).thing;
}

/** Serves the files of the build. Those under `assets/` have a content hash in their name. */
async function serveAssets(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    globIgnore: ['.vite/**', '**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      if (path.includes('/assets/')) {
        void reply.header('cache-control', `public, max-age=${assetMaxAgeSeconds}, immutable`);
      } else {
        // Other sites show the icons and the preview image with links to the wall.
        void reply.header('cache-control', 'public, max-age=3600');
        void reply.header('cross-origin-resource-policy', 'cross-origin');
      }
    },
  });
}
