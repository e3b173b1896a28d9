import type { IncomingMessage } from 'node:http';
import fastifyCookie from '@fastify/cookie';
import proxyAddr from '@fastify/proxy-addr';
import fastifyStatic from '@fastify/static';
import type { FastifyBaseLogger, FastifyError, FastifyInstance } from 'fastify';
import { apiPrefix } from '#contract/endpoint.ts';
import { type Config, subnetsOf } from './config.ts';
import { type Database, StorageUnavailable } from './db/database.ts';
import { logFailure, logOutages } from './db/write-outage.ts';
import { accountRoutes } from './features/account/routes.ts';
import { emailRoutes } from './features/account/email-routes.ts';
import { claimRoutes } from './features/account/claim-routes.ts';
import { suggestionRoutes } from './features/account/suggestion-routes.ts';
import { keepRoutes } from './features/keep/routes.ts';
import { openWallTexts } from './features/wall-texts/files.ts';
import { openWallSettings } from './features/wall-texts/wall-settings.ts';
import { wallTextRoutes } from './features/wall-texts/routes.ts';
import { eventRoutes } from './features/live/routes.ts';
import { outsidersAmong, ownNews } from './features/live/store.ts';
import { deskRoutes } from './features/moderation/desk/routes.ts';
import { bookmarkRoutes } from './features/posts/bookmark-routes.ts';
import { sharedRoutes } from './features/posts/shared-routes.ts';
import { muteRoutes } from './features/mutes/routes.ts';
import { digestLetters } from './features/notifications/digest-letter.ts';
import { notificationRoutes } from './features/notifications/routes.ts';
import { unsubscribeRoutes } from './features/notifications/unsubscribe-routes.ts';
import type { PostsResponse } from './features/posts/http.ts';
import { ownListRoutes } from './features/posts/own-list-routes.ts';
import { postRoutes } from './features/posts/routes.ts';
import { writingRoutes } from './features/posts/writing-routes.ts';
import { apiTokenRoutes } from './features/account/api-token-routes.ts';
import { readingRoutes } from './features/reading/routes.ts';
import { reportRoutes } from './features/reports/routes.ts';
import { searchRoutes } from './features/search/routes.ts';
import { closeWall } from './features/sessions/closed-wall-http.ts';
import { KnownMembers } from './features/sessions/known-members.ts';
import { cookiesFor } from './features/sessions/cookies.ts';
import { guard } from './features/sessions/http.ts';
import { showOwnWrites } from './features/sessions/own-writes.ts';
import { sessionRoutes } from './features/sessions/routes.ts';
import { signInRoutes } from './features/sign-in/routes.ts';
import { ApiError } from './http/api-error.ts';
import {
  closeGracefully,
  closeStalledConnections,
  limitConnections,
  queuePipelinedRequests,
} from './http/connections.ts';
import { createFastify } from './http/create-fastify.ts';
import { isApi, sendError } from './http/errors.ts';
import { securityHeaders, setHeaders } from './http/headers.ts';
import { FastPath } from './http/fast-path.ts';
import { healthRoutes } from './http/health.ts';
import { openApi } from './http/openapi.ts';
import { handleNodeRefusals, limitReads } from './http/request-guards.ts';
import { ResponseCache } from './http/response-cache.ts';
import { decorateReplies, jsonResponse } from './http/response.ts';
import { SecurityLog } from './http/security-log.ts';
import { Broadcast } from './live/broadcast.ts';
import { startSender } from './mail/sender.ts';
import type { Transport } from './mail/transport.ts';
import { wallJobs } from './ops/jobs/wall-jobs.ts';
import { serveMetrics } from './ops/metrics/serve-metrics.ts';
import { LimitHits, observeWall } from './ops/metrics/wall-metrics.ts';
import { apiText } from './pages/api/api-text.ts';
import { callLimits } from './pages/api/call-limits.ts';
import { feedRoutes } from './pages/feeds.ts';
import { pageRoutes } from './pages/routes.ts';
import { siteFileRoutes } from './pages/site-files.ts';
import { sitemapRoutes } from './pages/sitemap.ts';
import type { WebBuild } from './pages/web-build.ts';
import type { Secrets } from './secrets.ts';

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
  const app = createFastify(trusted, log);
  const addressOf = (request: IncomingMessage): string =>
    trusted ? proxyAddr(request, trusted) : (request.socket.remoteAddress ?? '');

  logOutages(db, log);
  queuePipelinedRequests(app);
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
  const headers = securityHeaders(build.inline, publicUrl.startsWith('https:'));
  const isClosed = () => wall.readers === 'members';
  const known = new KnownMembers(db, now);
  const send = decorateReplies(app, headers, isClosed);
  app.addHook('onSend', async (request, reply) => setHeaders(reply, isApi(request.url) ? headers.api : headers.page));
  closeGracefully(app);
  const secondsToWait = limitReads(app, config.readsPerMinute);
  const cookies = cookiesFor(publicUrl);
  const isBehind = showOwnWrites(app, db, cookies);
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
  handleNodeRefusals(app);
  closeStalledConnections(app.server);
  limitConnections(app.server, { perAddress: config.connectionsPerAddress, proxies: subnetsOf(config.trustProxy) });
  // Without its hook: the calls that read a cookie parse the header.
  await app.register(fastifyCookie, { hook: false });
  closeWall(app, { db, isClosed, known, cookies, now });
  guard(app, { db, secrets, publicUrl, now });

  const digestOf = digestLetters({ db, secrets, wall, now });
  const outbox = startSender({ db, secrets, transport, wall, digestOf, log, now });
  const jobs = wallJobs({ db, secrets, log, now });
  jobs.start();
  app.addHook('onClose', async () => {
    await jobs.close();
    await outbox.close();
  });
  const broadcast = new Broadcast(db, log, ownNews, async (read, all) => (isClosed() ? outsidersAmong(read, all) : []));
  const caches = {
    posts: new ResponseCache<PostsResponse>(db),
    discovery: new ResponseCache(db),
    pages: new ResponseCache(db),
  };
  if (metrics) observeWall(metrics, { db, outbox, jobs, broadcast, limitHits, security, caches, config, now });

  const wallTexts = await openWallTexts({ config, wall, log });
  const sessionOptions = { db, config, secrets, cookies, outbox, security, now };
  app.decorate('readable', new Map());
  healthRoutes(app, db);
  const postOptions = { db, cache: caches.posts, wallTexts, now };
  postRoutes(app, postOptions);
  ownListRoutes(app, postOptions);
  writingRoutes(app, { db, config, wall, now });
  searchRoutes(app, { db, config });
  notificationRoutes(app, { db, config, now });
  unsubscribeRoutes(app, { db, secrets, now });
  sharedRoutes(app, { db, config, now });
  bookmarkRoutes(app, { db, config, now });
  muteRoutes(app, { db, config, now });
  readingRoutes(app, { db, config, now });
  eventRoutes(app, { db, broadcast, config, cookies, headers: headers.api, countReads: secondsToWait, now });
  reportRoutes(app, { db, config, now });
  accountRoutes(app, sessionOptions);
  emailRoutes(app, sessionOptions);
  apiTokenRoutes(app, sessionOptions);
  claimRoutes(app, sessionOptions);
  suggestionRoutes(app, { db, config, now });
  signInRoutes(app, { ...sessionOptions, wallTexts });
  sessionRoutes(app, sessionOptions);
  deskRoutes(app, { ...sessionOptions, wall });
  keepRoutes(app, { ...sessionOptions, wall, wallTexts });
  const sessionCookie = cookies.fullName('session');
  const once = <T>(make: () => T) => madeOnce(make, wall);
  const described = () => ({ ...config, appName: wall.appName, sessionCookie });
  const description = once(() => openApi({ ...described(), limits: callLimits(config) }));
  const descriptionResponse = once(() => jsonResponse(description()));
  app.get(`${apiPrefix}/openapi.json`, (_request, reply) => reply.respond(descriptionResponse()));
  const apiPage = once(() => apiText(description(), described()));
  wallTextRoutes(app, wallTexts, apiPage);

  if (build.folder !== undefined) await serveAssets(app, build.folder);
  const plainPaths = build.plain.paths.filter(({ isShared }) => !isShared).map(({ path }) => path);
  const { securedPaths } = build;
  siteFileRoutes(app, { wall, securedPaths, plainPaths, now });
  feedRoutes(app, { cache: caches.discovery, wall });
  sitemapRoutes(app, { cache: caches.discovery, publicUrl });
  const { editWindowSeconds, codeResendSeconds } = config;
  pageRoutes(app, {
    cache: caches.pages,
    web: build,
    wallTexts,
    wall,
    settings: { publicUrl, editWindowSeconds, codeResendSeconds },
    secrets,
    cookies,
    searchNeedsSession: config.search === 'members',
    db,
    now,
  });
  return app;
}

/** The description of the API takes 20 ms to make, and most processes are never asked for it. It names the wall. */
function madeOnce<T>(make: () => T, { version }: { version(): number }): () => T {
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
