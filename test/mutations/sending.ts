import { byRule } from './mutation.ts';

const fastPath = 'server/http/fast-path.ts';
const fastPathTest = 'server/http/fast-path.test.ts';

export const sending = byRule({
  104: {
    'pages are compressed by the thread that answers': {
      change: ['server/pages/routes.ts', 'await page.prepare(request.headers);', ''],
      test: ['server/pages/compression.test.ts', 'is compressed in another thread'],
    },
    'each of several readers has the page compressed anew': {
      change: [
        'server/http/response.ts',
        'return (this.#compressing ??= this.#compress());',
        'return this.#compress();',
      ],
      test: ['server/pages/compression.test.ts', 'is compressed in another thread'],
    },
  },
  105: {
    'a person who is signed in gets what visitors get': {
      change: [fastPath, "'authorization', ", ''],
      test: [fastPathTest, 'people who are signed in'],
    },
    'a reload gets a page that lags': {
      change: [fastPath, "'cache-control', ", ''],
      test: [fastPathTest, 'a cached response is sent without its route'],
    },
    'outdated responses are sent': {
      change: [
        'server/http/response-cache.ts',
        '!(this.#isValid(entry) || this.#lags(entry, now - lagMs))) return undefined;',
        'false) return undefined;',
      ],
      test: [fastPathTest, 'a cached response is sent without its route'],
    },
    'what is sent without its route is not limited': {
      change: [fastPath, ' || this.#options.secondsToWait(request) > 0', ''],
      test: [fastPathTest, 'counts for the limit of reads'],
    },
    'all clients behind a proxy share a limit': {
      change: ['server/app.ts', 'trusted ? proxyAddr(request, trusted) : ', ''],
      test: [fastPathTest, 'counts for the limit of reads'],
    },
    'an error in front of the routes ends the process': {
      change: [fastPath, 'if (!this.#tries(request, response))', 'if (!this.#answers(request, response))'],
      test: [fastPathTest, 'an error in front of the routes is logged'],
    },
    'connections stay open while the server stops': {
      change: [fastPath, 'void (this.#isClosing = true)', '{}'],
      test: [fastPathTest, 'a connection is closed with its next response'],
    },
    'any number of pipelined requests is answered at once': {
      change: [fastPath, ' || response.socket === null', ''],
      test: [fastPathTest, 'people who are signed in'],
    },
  },
});
