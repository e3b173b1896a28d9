import { errors } from '#contract/errors.ts';

const busy = errors.TOO_MANY_REQUESTS.message;
const internal = errors.INTERNAL.message;

/** Failures of a request, and the messages of the page. */
export const failures: Array<{ what: string; respond: () => Response | Promise<Response>; says: string }> = [
  {
    what: 'a broken connection',
    respond: () => Promise.reject(new TypeError()),
    says: 'Нет соединения. Проверьте сеть и попробуйте ещё раз.',
  },
  {
    what: 'a server error',
    respond: () => Response.json({ code: 'INTERNAL', message: internal }, { status: 500 }),
    says: internal,
  },
  {
    what: 'an error page of a proxy',
    respond: () => new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } }),
    says: internal,
  },
  {
    what: 'too many requests',
    respond: () =>
      Response.json({ code: 'TOO_MANY_REQUESTS', message: busy }, { status: 429, headers: { 'retry-after': '42' } }),
    says: `${busy} Повторить можно через 42 сек.`,
  },
];
