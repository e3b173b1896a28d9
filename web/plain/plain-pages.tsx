import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ApiError } from '#client/api-error.ts';
import { createClient } from '#client/create-client.ts';
import { addresses } from '#contract/addresses.ts';
import { readWarning } from '#contract/warning.ts';
import { pageTitle, type PlainPages, type PlainRequest } from '#contract/page.ts';
import { explainError, isNotFound } from '../lib/api-error.ts';
import { themeScript } from '../theme/theme.ts';
import { account } from './account.tsx';
import { claim } from './claim.tsx';
import { compose, reply } from './compose.tsx';
import { desk } from './desk.tsx';
import { Form, FormStateContext } from './form.tsx';
import { keep } from './keep.tsx';
import { lists, search } from './lists.tsx';
import styles from './plain.css?inline';
import { join, ownerLink } from './join.tsx';
import { person } from './person.tsx';
import { done, here, type PlainPage, type PlainContent } from './plain-page.ts';
import { postActions } from './post-actions.tsx';
import { queue } from './queue.tsx';
import { settings } from './settings.tsx';
import { sharedPost } from './shared-post.tsx';
import { signIn } from './sign-in.tsx';
import { waiting } from './waiting.tsx';

/** Scripts show other pages at the same addresses. */
const shared = [compose, search, ...lists, ...settings, ...account, queue, waiting, desk, person, keep];
const pages: readonly PlainPage[] = [signIn, sharedPost, claim, join, ownerLink, postActions, reply, ...shared];

function contextOf(request: PlainRequest) {
  for (const page of pages) {
    const params = page.address.match(request.path);
    if (params) return { page, context: { ...request, params, call: createClient({ fetch: request.fetch }) } };
  }
  throw new ApiError('NOT_FOUND', 'Ничего не найдено.', 404);
}

/** The form of a warning stands on every page. */
const warningAct = 'read-warning';

const signInFor = (request: PlainRequest) => addresses.signIn.href({}, { next: here(request) });

/** The pages that work by links and forms alone. */
export const plain: PlainPages = {
  paths: pages.map((page) => ({ path: page.address.path, access: page.access, isShared: shared.includes(page) })),
  styles,

  async show(request) {
    const { page, context } = contextOf(request);
    const { heading, body, status = 200 } = await page.show(context).catch(failed);
    const title = pageTitle(heading, request.settings.appName);
    return { status, title, body: renderToStaticMarkup(<Layout request={request} heading={heading} body={body} />) };
  },

  async act(request, fields) {
    try {
      const { page, context } = contextOf(request);
      const name = fields['act'] ?? '';
      if (name === warningAct) {
        await context.call(readWarning, {});
        return done(request, '', { to: here(request) });
      }
      const run = page.acts?.[name];
      if (!run) throw new ApiError('NOT_FOUND', 'Ничего не найдено.', 404);
      return await run(context, fields);
    } catch (error) {
      const sent = { page: request.path, fields, message: explainError(error), failed: true };
      const isSignedOut = error instanceof ApiError && error.code === 'UNAUTHORIZED';
      return { to: isSignedOut ? signInFor(request) : here(request), sent };
    }
  },

  signInFor,

  document: ({ title, body }) =>
    [
      '<!doctype html><html lang="ru" data-theme="dark"><head><meta charset="utf-8"/>',
      '<meta name="viewport" content="width=device-width, initial-scale=1"/><meta name="robots" content="noindex"/>',
      `<script>${themeScript}</script>`,
      renderToStaticMarkup(<title>{title}</title>),
      `<link rel="icon" href="/favicon.svg" type="image/svg+xml"/><style>${styles}</style></head>`,
      `<body>${body}</body></html>`,
    ].join(''),
};

function failed(error: unknown): PlainContent {
  if (isNotFound(error)) {
    return { heading: 'Не найдено', body: <p>Запись или страница не существует или была удалена.</p>, status: 404 };
  }
  return { heading: 'Не получилось', body: <p>{explainError(error)}</p> };
}

interface LayoutProps {
  request: PlainRequest;
  heading: string;
  body: ReactNode;
}

const links = [
  [addresses.search, 'Поиск'],
  [addresses.newPost, 'Новая запись'],
  [addresses.notifications, 'Уведомления'],
  [addresses.ownPosts, 'Мои записи'],
  [addresses.ownReplies, 'Мои ответы'],
  [addresses.liked, 'Понравившиеся'],
  [addresses.settings, 'Настройки'],
] as const;

const visitorLinks = [links[0], links[1], [addresses.signIn, 'Войти']] as const;

function Layout({ request, heading, body }: LayoutProps) {
  const {
    path,
    user,
    settings: { appName },
    hidden,
    sent,
  } = request;
  const shown = user === null ? visitorLinks : links;
  return (
    <div className="plain">
      <header>
        <a href={addresses.feed.href()}>{appName}</a>
        <nav aria-label="Разделы">
          <ul>
            {shown.map(([address, name]) => (
              <li key={address.path}>
                <a href={address.href()} aria-current={address.path === path ? 'page' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main>
        <h1>{heading}</h1>
        {sent && sent.message !== '' && !sent.failed && (
          <p className="done" role="status">
            {sent.message}
          </p>
        )}
        <FormStateContext value={{ hidden, sent, action: here(request) }}>
          {user?.warning !== undefined && (
            <section aria-label="Предупреждение">
              <p>Вас предупреждают те, кто ведёт стену:</p>
              <p className="text">{user.warning}</p>
              <Form act={warningAct} submit="Понятно" />
            </section>
          )}
          {body}
        </FormStateContext>
      </main>
    </div>
  );
}
