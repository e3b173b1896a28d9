import { byRule } from './mutation.ts';

const common = 'contract/common.schema.ts';
const app = 'server/app.ts';
const errorsTest = 'server/http/errors.test.ts';
const fuzzTest = 'server/http/fuzz.test.ts';
const faultsTest = 'test/faults/faults.test.ts';
const bodiesTest = 'bodies that are too large, of another type, not JSON or with unknown fields';
const refuseNulTest = 'server/http/refuse-nul.test.ts';
const writingRoutes = 'server/features/posts/writing-routes.ts';
const readingTest = 'server/features/posts/reading.test.ts';
const connections = 'server/http/connections.ts';
const connectionLimitTest = 'server/http/connection-limit.test.ts';

/** Requests and connections: rules 16, 19, 22, 34. */
export const input = byRule({
  16: {
    'a body may be a megabyte': {
      change: [app, 'bodyLimit: limits.bodyBytes,', 'bodyLimit: 1_000_000,'],
      test: [errorsTest, bodiesTest],
    },
    'unknown fields are accepted': {
      change: [common, '{ additionalProperties: false } as const', '{ additionalProperties: true } as const'],
      test: [errorsTest, bodiesTest],
    },
    'numbers are converted where a string is required': {
      change: [app, 'coerceTypes: false', 'coerceTypes: true'],
      test: [errorsTest, bodiesTest],
    },
    'unknown fields are removed instead of rejected': {
      change: [app, 'removeAdditional: false', "removeAdditional: 'all'"],
      test: [errorsTest, bodiesTest],
    },
    'texts are stored without normalization': {
      change: ['server/features/posts/http.ts', '  return result.text;', '  return raw;'],
      test: [fuzzTest, 'createPost|editPost'],
    },
    'the description of a device may contain a NUL, which PostgreSQL cannot store': {
      change: [common, "'^[^\\\\u0000]*$'", "'^[^]*$'"],
      test: [refuseNulTest, 'rejects a NUL anywhere'],
    },
    'a NUL in an address reaches the database': {
      change: ['server/http/request-guards.ts', "if (!url.includes('%00')) return;", "if (url !== '') return;"],
      test: [refuseNulTest, 'rejects a NUL anywhere'],
    },
    'everything that looks like a number is accepted as an id': {
      change: [
        'server/db/parse-id.ts',
        '/^[1-9][0-9]{0,15}$/.test(id) ? Number(id) : NaN',
        'Number(id) > 0 ? Number(id) : NaN',
      ],
      test: [fuzzTest, 'getPost|listReplies|likePost'],
    },
    'an address is stored as it was typed': {
      change: [
        'server/features/sign-in/routes.ts',
        '    const email = acceptEmail(body.email);',
        '    const email = acceptEmail(body.email) && body.email;',
      ],
      test: [fuzzTest, 'startRegistration'],
    },
    'a call deletes something that belongs to another person': {
      change: [writingRoutes, "if (post.user_id !== userId) throw new ApiError('FORBIDDEN');", 'void userId;'],
      test: [fuzzTest, 'deletePost'],
    },
    'an error contains only its code': {
      change: ['server/http/api-error.ts', 'message: this.message', 'message: ""'],
      test: [fuzzTest, 'createPost'],
    },
  },
  19: {
    'any page number is accepted': {
      change: [common, "'^[1-9][0-9]{0,8}$'", "'^'"],
      test: [readingTest, 'refuses hostile paging and never returns more than 50 posts'],
    },
    'the same, found by fuzzing': {
      change: [common, "'^[1-9][0-9]{0,8}$'", "'^'"],
      test: [fuzzTest, 'listPosts|listReplies|listNotifications'],
    },
    'a page may have 99 rows': {
      change: [common, "'^([1-9]|[1-4][0-9]|50)$'", "'^[1-9][0-9]?$'"],
      test: [readingTest, 'refuses hostile paging and never returns more than 50 posts'],
    },
    'a repeated parameter is accepted with its first value': {
      change: ['server/http/serve.ts', 'if (schemas.query) schema.querystring = schemas.query;', 'void schemas.query;'],
      test: [readingTest, 'refuses hostile paging and never returns more than 50 posts'],
    },
  },
  22: {
    'headers may arrive within a minute': {
      change: [app, 'headersTimeout: 5_000', 'headersTimeout: 60_000'],
      test: [faultsTest, 'slow-clients'],
    },
    'a request may arrive within a minute': {
      change: [app, 'requestTimeout: 10_000,', 'requestTimeout: 60_000,'],
      test: [faultsTest, 'slow-clients'],
    },
    'slow clients are checked every 30 s, Node’s default': {
      change: [app, 'connectionsCheckingInterval: 1_000', 'connectionsCheckingInterval: 30_000'],
      test: [faultsTest, 'slow-clients'],
    },
    'a slow reader is never disconnected': {
      change: [connections, 'else if (now - progress.since >= timeoutMs) socket.destroy();', ''],
      test: ['server/http/slow-readers.test.ts', 'disconnects clients that read nothing'],
    },
    'a connection may pipeline any number of requests': {
      change: [connections, 'const maxPipelined = 32;', 'const maxPipelined = 1_000_000;'],
      test: [faultsTest, 'malformed-http'],
    },
  },
  34: {
    'an address may keep any number of connections open': {
      change: [connections, 'if (count >= perAddress) {', 'if (count < 0) {'],
      test: [connectionLimitTest, 'an address holds 3 of 8'],
    },
    'a closed connection is still counted': {
      change: [connections, 'const left = open.get(network)! - 1;', 'const left = open.get(network)!;'],
      test: [connectionLimitTest, 'an address holds 3 of 8'],
    },
    'connections of a trusted proxy count as those of one reader': {
      change: [
        connections,
        "if (remoteAddress === undefined || proxies.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')) return;",
        'if (remoteAddress === undefined) return;',
      ],
      test: [connectionLimitTest, 'a trusted proxy holds 8 of 8'],
    },
  },
});
