import { errors } from '#contract/errors.ts';
import { expectAccessible } from './support/accessible.ts';
import { mainButton } from './support/account.ts';
import { hydrated, openPage, quiet } from './support/app.ts';
import { codeFiles } from './support/code-files.ts';
import { articles } from './support/feed.ts';
import { bell } from './support/notifications.ts';
import { filledWall } from './support/live.ts';
import { profileLink } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { callsOf, choice, newPostButton, signInNewPerson, textField } from './support/writing.ts';

test('a post of the list can be read offline; its replies load later', async ({ page, context, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await openPage(page, '/');
  await quiet(page);
  const text = await articles(page).first().locator('[id$=text]').innerText();
  const failed = page.getByRole('heading', { name: 'Не удалось загрузить' });
  await context.setOffline(true);
  await expect(page.getByRole('status').filter({ hasText: 'Нет соединения' })).toBeInViewport();
  await articles(page).first().locator('time[title]').click();
  await expect(failed).toBeVisible();
  await expect(page.getByRole('article')).toContainText(text);
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  await expect(page).toHaveTitle('Запись - Стена');
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(failed).toBeVisible();
  await expect(page.getByRole('article')).toContainText(text);
  await context.setOffline(false);
  await expect(failed).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
});

test('a next page that fails waits for a press or the network', async ({ page, context, ownWall, pageErrors }) => {
  pageErrors.expect(/429/);
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await filledWall(ownWall, 40);
  // The first page ends below the window, where scrolling loads the next one.
  await page.setViewportSize({ width: 1_280, height: 400 });
  await openPage(page, ownWall.url);
  // With a clock that stands still no code would be fetched ahead.
  await quiet(page);
  const asked = callsOf(page, 'GET', /\/api\/v1\/posts$/);
  const refused = { code: 'TOO_MANY_REQUESTS', message: errors.TOO_MANY_REQUESTS.message };
  await page.route('**/api/v1/posts?*cursor=*', (route) =>
    route.fulfill({ status: 429, json: refused, headers: { 'retry-after': '42' } }),
  );
  const toEnd = () => page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const alert = page.getByRole('main').getByRole('alert');
  await toEnd();
  await expect(alert).toContainText(/Слишком много запросов\. Повторить можно через \d+ сек\./);
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.evaluate(() => scrollTo(0, 0));
  await toEnd();
  // The observer of the end has reported by then.
  await page.evaluate(() => new Promise<void>((done) => new IntersectionObserver(() => done()).observe(document.body)));
  await page.clock.runFor(1_000);
  expect(asked).toHaveLength(1);
  await page.clock.resume();
  await page.unroute('**/api/v1/posts?*cursor=*');
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(alert).toHaveCount(0);
  await expect(articles(page).filter({ hasText: 'Запись 11' })).toBeAttached();

  await quiet(page);
  await context.setOffline(true);
  await expect(page.getByRole('status').filter({ hasText: 'Нет соединения' })).toBeInViewport();
  await toEnd();
  await expect(alert).toContainText('Нет соединения. Проверьте сеть');
  await context.setOffline(false);
  await expect(alert).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: 'Нет соединения' })).toHaveCount(0);

  await context.setOffline(true);
  await page.getByRole('main').getByRole('link', { name: 'galina_m' }).last().click();
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await context.setOffline(false);
  await expect(page).toHaveTitle('galina_m - Стена');
  await expect(page.getByRole('main')).toContainText('на стене с');
});

test('when its code does not load, a page is reloaded once, then offers it', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/ERR_FAILED/);
  pageErrors.tolerate(/Failed to fetch/);
  const address = `/posts/${wall.ids.discussed}`;
  let opened = 0;
  page.on('request', (request) => (opened += request.isNavigationRequest() ? 1 : 0));
  const line = page.getByRole('alert').filter({ hasText: 'Страница загрузилась не полностью' });

  await page.route(codeFiles.firstLoad, (route) => route.abort(), { times: 1 });
  await page.goto(address, { waitUntil: 'commit' });
  await hydrated(page);
  await expect(line).toBeHidden();
  expect(opened).toBe(2);

  await page.route(codeFiles.firstLoad, (route) => route.abort());
  await page.goto(address, { waitUntil: 'commit' });
  await expect(line).toBeInViewport();
  // The line does not cover the links of the rail.
  await page.getByRole('navigation').getByRole('link', { name: 'Конфиденциальность' }).click({ trial: true });
  expect(opened).toBe(4);
  await page.unrouteAll();
  await line.getByRole('link', { name: 'Загрузить ещё раз' }).click();
  await hydrated(page);
  await expect(line).toBeHidden();
});

test('offline a page whose code does not load stays readable', async ({ page, context, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await page.route(codeFiles.firstLoad, async (route) => {
    await context.setOffline(true);
    await route.abort('internetdisconnected');
  });
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('alert').filter({ hasText: 'Загрузить ещё раз' })).toBeInViewport();
  await expect(page.getByRole('article').first()).toBeVisible();
});

test('dialogs and own pages report missing code and retry', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  await signInNewPerson(page, wall);
  for (const [code, opener, retry, thing] of [
    [codeFiles.forms, newPostButton(page), choice(page, 'Повторить'), textField(page)],
    [
      codeFiles.lists,
      bell(page),
      mainButton(page, 'Повторить'),
      page.getByRole('heading', { name: 'Уведомлений пока нет' }),
    ],
    [codeFiles.forms, profileLink(page), mainButton(page, 'Повторить'), mainButton(page, 'Выйти')],
  ] as const) {
    await page.route(code, (route) => route.abort('connectionreset'));
    const failed = page.waitForEvent('requestfailed');
    await openPage(page, wall.url);
    await failed;
    await opener.click();
    await expect(page.locator('dialog[open], main').filter({ hasText: 'Не удалось загрузить' })).toBeVisible();
    await page.unroute(code);
    await retry.click();
    await expect(thing).toBeVisible();
  }
  await openPage(page, `${wall.url}/notifications`);
  await expect(page.getByRole('heading', { name: 'Уведомлений пока нет' })).toBeVisible();
  await expectAccessible(page);
});
