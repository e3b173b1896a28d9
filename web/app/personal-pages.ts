import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import type { FormFields, FormOutcome, PageRenderer, PersonalRequest } from '#contract/page-data.ts';
import { browserErrors } from '#contract/errors.ts';
import { ApiError } from '#client/api-error.ts';
import { createClient } from '#client/create-client.ts';
import { sayRead, warningAct } from '../features/session/read-warning.ts';
import { fieldOf, type PageContext, runAct } from '../forms/page-module.ts';
import { explainError, isNotFound, isRefusal } from '../lib/explain-error.ts';
import { deskPages, wallPage } from '../pages/desk-pages.ts';
import { openPages } from '../pages/open-pages.ts';
import { ownLists } from '../pages/own-pages.tsx';
import { matchPage, pages } from '../pages/pages.ts';
import { search } from '../pages/search.tsx';
import type { Found } from '../router/page.ts';

const { signal } = new AbortController();

/** The page at an address and the context of its `load`. Null for a visitor at a page for signed-in people. */
function personalPage(request: PersonalRequest) {
  const { page, params } = matchPage(request.path);
  const { query, user, settings, clientToken, userAgent, keyFor, now } = request;
  if (!user && page.access === 'user') return null;
  const call = createClient({ fetch: request.fetch });
  const context = {
    call,
    query,
    user,
    settings,
    userAgent,
    keyFor,
    now: () => now,
    mayEndSession() {},
    knownPost: () => undefined,
    clientToken: async () => clientToken,
  };
  return { page, params, context };
}

/** The state of the mail, for a step that asks for a mailed code. Undefined if a browser with scripts started the operation, with another token. */
async function mailOf({ call, query, clientToken }: Pick<PageContext, 'call' | 'query' | 'clientToken'>) {
  const id = query.get('code');
  if (id === null) return undefined;
  const asked = { params: { id }, query: { clientToken: await clientToken() } };
  return call('GET /mail/{id}', asked).then(
    (mail) => ({ mail }),
    () => undefined,
  );
}

const personalPages = pages.filter((page) => page.module || page === search);

export const personal: PageRenderer['personal'] = {
  paths: personalPages.map(({ address: { path }, access, module, writesText = false }) => ({
    path,
    forVisitors: access === 'public' && module !== undefined,
    writesText,
  })),

  partOf(path) {
    const { page } = matchPage(path);
    if (deskPages.includes(page)) return 'desk';
    if (ownLists.includes(page)) return 'lists';
    if (page.address === addresses.join) return 'join';
    if (openPages.includes(page) && !page.writesText) return 'forms';
    return page === wallPage ? 'wall' : 'settings';
  },

  async load(request) {
    const { page, params, context } = personalPage(request)!;
    const { call, query, user, settings } = context;
    const own = { href: here(request), user, settings, knownPost: () => undefined, context };
    const asked = {
      call,
      cursor: query.get('cursor'),
      q: query.get('q') ?? '',
      count: limits.pageSize,
      signal,
      authorId: () => undefined,
    };
    try {
      await page.prefetch?.();
      const [content, mail] = await Promise.all([
        page.load!(params, { ...asked, own }) as Promise<Found>,
        mailOf(context),
      ]);
      if (mail && content.own) Object.assign(content.own.data, mail);
      const muted = user && content.list && (await call('GET /users/current/mutes', {})).users.map(({ id }) => id);
      const { isGone } = (content.own?.data ?? {}) as { isGone?: true };
      return { exists: !isGone, content, muted: muted ?? undefined };
    } catch (error) {
      if (isNotFound(error)) return { exists: false, content: null };
      return { exists: true, content: { failed: explainError(error, request.report) } };
    }
  },

  async act(request, fields) {
    try {
      const found = personalPage(request);
      if (!found) throw new ApiError('UNAUTHORIZED', browserErrors.UNAUTHORIZED.message, 401);
      const { page, context, params } = found;
      if (!page.module) throw new ApiError('NOT_FOUND', 'Ничего не найдено.', 404);
      const asked = { ...context, params } as PageContext;
      const outcome = await (fields['act'] === warningAct
        ? sayRead(asked)
        : runAct(await page.module.load(), asked, fields));
      const { message = '', to = here(request), handed = {}, refused, isSignedIn } = outcome;
      const { pathname } = new URL(to, request.settings.publicUrl);
      const { access, module } = matchPage(pathname).page;
      const isForEverybody = access === 'public' && !module;
      // A page for everybody would not say who has signed in, so the sign-in page leads on to it. The outcome has no `sent`: another page
      // may have sent a form after the session had ended, and the cookie keeps that form.
      if (isSignedIn) return { to: isForEverybody ? addresses.signIn.href({}, { next: to }) : to };
      if (refused) return { to, sent: { page: pathname, ...refused, failed: true, refused: true } };
      // The HTML of a public page is the same for everybody, so words about an act cannot stand on it.
      if (isForEverybody) return { to };
      return { to, sent: { page: pathname, fields: handed, message, failed: false } };
    } catch (error) {
      // NOT_FOUND may mean that the post published with the idempotency key `nonce` was deleted: the next attempt needs a new key.
      const { nonce: _nonce, ...texts } = fields;
      return refusedForm(request, isNotFound(error) ? texts : fields, error);
    }
  },
};

/** The page's own address, with its query. */
const here = ({ path, query }: PersonalRequest): string => path + (query.size > 0 ? `?${query}` : '');

/** The outcome that shows the form again with the reason of its refusal. */
function refusedForm(request: PersonalRequest, fields: FormFields, error: unknown): FormOutcome {
  const message = explainError(error, request.report);
  const sent = {
    page: request.path,
    fields,
    message,
    failed: true,
    ...fieldOf(error),
    ...(isRefusal(error) && { refused: true as const }),
  };
  const isSignedOut = error instanceof ApiError && error.code === 'UNAUTHORIZED';
  return { to: isSignedOut ? addresses.signIn.href({}, { next: here(request) }) : here(request), sent };
}
