import type { Route } from '@playwright/test';
import { errors } from '#contract/errors.ts';

/** What may happen to a request, what the page says and what the browser reports. */
export const failures: Array<{ what: string; respond: (route: Route) => Promise<void>; says: string; error: RegExp }> =
  [
    {
      what: 'a broken connection',
      respond: (route) => route.abort('connectionreset'),
      says: 'Нет соединения. Проверьте сеть и попробуйте ещё раз.',
      error: /ERR_CONNECTION_RESET/,
    },
    {
      what: 'a server error',
      respond: (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL', message: errors.INTERNAL.message } }),
      says: errors.INTERNAL.message,
      error: /500/,
    },
    {
      what: 'an error page of a proxy',
      respond: (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
      says: errors.INTERNAL.message,
      error: /502/,
    },
    {
      what: 'too many requests',
      respond: (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '42' },
          json: { code: 'TOO_MANY_REQUESTS', message: errors.TOO_MANY_REQUESTS.message },
        }),
      says: `${errors.TOO_MANY_REQUESTS.message} Повторить можно через 42 сек.`,
      error: /429/,
    },
  ];
