import { byRule } from './mutation.ts';

const renderHtml = 'web/app/html/render-html.ts';
const tags = 'web/app/html/html-tags.ts';
const hooks = 'web/app/html/server-hooks.ts';
const renderingTest = 'server/pages/rendering.test.ts';
const sameBytes = 'pages are the same bytes as by React';

/** The renderer of pages and their compression: rules 104 and 105. */
export const rendering = byRule({
  104: {
    'two texts in a row become one': {
      change: [renderHtml, "if (this.#isAfterText) this.html += '<!-- -->';", ''],
      test: [renderingTest, sameBytes],
    },
    'ids do not depend on the component above': {
      change: [renderHtml, 'path.push(1, 0);', 'path.push(1, 1);'],
      test: [renderingTest, sameBytes],
    },
    'a component is not rendered again for its own state': {
      change: [hooks, 'if (!isChanged) return', 'if (isChanged || !isChanged) return'],
      test: [renderingTest, sameBytes],
    },
    'a quote ends an attribute': {
      change: ['web/app/html/escape-html.ts', '/["\'&<>]/g', "/['&<>]/g"],
      test: [renderingTest, sameBytes],
    },
    'pages of posts are left to React': {
      change: [tags, "...'viewBox popoverTarget dateTime'", "...'popoverTarget dateTime'"],
      test: [renderingTest, sameBytes],
    },
  },
  105: {
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
