import { byRule } from './mutation.ts';

export const compression = byRule({
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
});
