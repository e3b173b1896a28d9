import { expectAccessible } from './support/accessible.ts';
import { mainButton, paths } from './support/account.ts';
import { hydrated, openPage, quiet } from './support/app.ts';
import { codeFiles } from './support/code-files.ts';
import { articles } from './support/feed.ts';
import { bell } from './support/notifications.ts';
import { texts } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';
import { choice, menuButton, newPostButton, signInNewPerson, textField, toast } from './support/writing.ts';

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

test('the menu and the shortcuts report that their code does not load, and work on the next try', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  const report = toast(page, 'Не удалось загрузить');
  await page.route(codeFiles.visitor, (route) => route.abort('connectionreset'));
  await openPage(page, '/');
  await menuButton(page, texts.lines).click();
  await expect(report).toBeVisible();
  await page.unroute(codeFiles.visitor);
  await menuButton(page, texts.lines).click();
  await expect(page.getByRole('menu')).toBeVisible();

  await page.route(codeFiles.visitor, (route) => route.abort('connectionreset'));
  await openPage(page, '/');
  await page.keyboard.press('j');
  await expect(report).toBeVisible();
  await page.unroute(codeFiles.visitor);
  await page.keyboard.press('j');
  await expect(page.locator('article[aria-posinset="1"]')).toBeFocused();
});

test('the composer and own pages report that their code does not load, and load it on retry', async ({
  page,
  wall,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  const code = codeFiles.signedIn;
  await page.route(code, (route) => route.abort('connectionreset'));
  const failed = page.waitForEvent('requestfailed');
  const open = async (path: string) => {
    const again = page.waitForEvent('requestfailed');
    await openPage(page, wall.url + path);
    await again;
  };
  await signInNewPerson(page, wall);
  await failed;
  const failure = page.getByRole('main').filter({ hasText: 'Не удалось загрузить' });
  await test.step('the composer', async () => {
    await newPostButton(page).click();
    await expect(page.getByRole('dialog')).toContainText('Не удалось загрузить.');
    await page.unroute(code);
    await choice(page, 'Повторить').click();
    await expect(textField(page)).toBeFocused();
  });
  await test.step('notifications', async () => {
    await page.route(code, (route) => route.abort('connectionreset'));
    await open('/');
    await bell(page).click();
    await expect(failure).toBeVisible();
    await page.unroute(code);
    await mainButton(page, 'Повторить').click();
    await expect(page.getByRole('heading', { name: 'Уведомлений пока нет' })).toBeVisible();
    await expectAccessible(page);
  });
  await test.step('the settings', async () => {
    await page.route(code, (route) => route.abort('connectionreset'));
    await open(paths.settings);
    await expect(failure).toBeVisible();
    await page.unroute(code);
    await mainButton(page, 'Повторить').click();
    await expect(mainButton(page, 'Выйти')).toBeVisible();
  });
});
