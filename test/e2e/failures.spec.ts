import { hydrated, openPage, quiet } from './support/app.ts';
import { codeFiles } from './support/code-files.ts';
import { articles } from './support/feed.ts';
import { expect, test } from './support/test.ts';

test('a post that was in the list can be read offline; only its replies fail and load later', async ({
  page,
  context,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await openPage(page, '/');
  await quiet(page);
  const text = await articles(page).first().locator('[id$=text]').innerText();
  await context.setOffline(true);
  await expect(page.getByRole('status').filter({ hasText: 'Нет соединения' })).toBeInViewport();
  await articles(page).first().locator('time[title]').click();
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await expect(page.getByRole('article')).toContainText(text);
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  await expect(page).toHaveTitle('Запись - Стена');
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await expect(page.getByRole('article')).toContainText(text);
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
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
  // It leaves the links of the rail alone.
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
