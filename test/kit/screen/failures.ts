import { errors } from '#contract/errors.ts';

const busy = errors.TOO_MANY_REQUESTS.message;
const internal = errors.INTERNAL.message;

/** What may happen to a request, and what the page says. */
export const failures: Array<{ what: string; answer: () => Response | Promise<Response>; says: string }> = [
  {
    what: 'a broken connection',
    answer: () => Promise.reject(new TypeError()),
    says: 'Нет соединения. Проверьте сеть и попробуйте ещё раз.',
  },
  {
    what: 'a server error',
    answer: () => Response.json({ code: 'INTERNAL', message: internal }, { status: 500 }),
    says: internal,
  },
  {
    what: 'an error page of a proxy',
    answer: () => new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } }),
    says: internal,
  },
  {
    what: 'too many requests',
    answer: () =>
      Response.json({ code: 'TOO_MANY_REQUESTS', message: busy }, { status: 429, headers: { 'retry-after': '42' } }),
    says: `${busy} Повторить можно через 42 сек.`,
  },
];
