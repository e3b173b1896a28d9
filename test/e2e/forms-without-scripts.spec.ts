import type { Page } from '@playwright/test';
import { personalPaths } from '../kit/journeys/pages.ts';
import { expectAccessible, expectFits } from './support/accessible.ts';
import {
  openStory,
  mainButton,
  newEmailField,
  paths,
  row,
  closeOthersButton,
  noOthers,
  others,
} from './support/account.ts';
import { openPage, hydrated } from './support/app.ts';
import { brokenScripts, holdBack, holdScripts } from './support/code-files.ts';
import { desk, phone } from './support/screens.ts';
import {
  codeField,
  emailField,
  endSessions,
  enter,
  newAddress,
  newPerson,
  profileLink,
  signInButton,
} from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { signInNewPerson, toast } from './support/writing.ts';

const main = (page: Page) => page.locator('main');

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  // Pages with the forms preload their code, which the browser blocks and reports because scripts are off.
  test.beforeEach(({ pageErrors }) => pageErrors.tolerate(/\.js csp/));

  test('the buttons of a card lead to pages that do the same', async ({ page, context, ownWall }) => {
    const { other } = await openStory(context, ownWall);
    await page.goto(ownWall.url);
    const card = page.getByRole('article').filter({ hasText: 'Чужая запись' });
    await card.getByRole('button', { name: 'Нравится' }).click();
    await expect(page).toHaveURL(`${ownWall.url}/posts/${other}/actions?`);
    await main(page).getByRole('button', { name: 'Нравится', exact: true }).click();
    await expect(main(page).getByText('Отмечено')).toBeVisible();
    await page.goto(ownWall.url);
    await card.getByRole('button', { name: 'Ответить' }).click();
    await main(page).getByLabel('Текст ответа').fill('Отвечаю');
    await main(page).getByRole('button', { name: 'Опубликовать' }).click();
    await expect(page.getByRole('heading', { name: 'Запись' })).toBeVisible();
    // Nothing was sent that Back would send again.
    await page.goBack();
    await expect(main(page).getByLabel('Текст ответа')).toBeVisible();
  });

  test('a person takes the own posts away', async ({ page, context, ownWall }) => {
    const person = await newPerson(ownWall);
    await ownWall.seed.posts([{ by: person.id, text: 'Моя запись' }]);
    await enter(context, ownWall, person.id);
    await page.goto(`${ownWall.url}/settings/data`);
    await page.getByRole('button', { name: 'Собрать файл' }).click();
    const link = page.getByRole('link', { name: 'Скачать файл' });
    await expect(async () => {
      await page.reload();
      await expect(link).toBeVisible({ timeout: 500 });
    }).toPass();
    const download = page.waitForEvent('download');
    await link.click();
    expect((await download).suggestedFilename()).toMatch(/^stena-[\d-]+\.html$/);
  });

  test('no control of the feed or of a discussion needs a script', async ({ page, wall }) => {
    for (const path of [`/posts/${wall.ids.discussed}`, '/']) {
      await page.goto(path);
      for (const button of await page.locator('button:not(form[method] *)').all()) await expect(button).toBeHidden();
      await expect(page.getByRole('button', { name: /^скрыть|ветки|^Сначала/ })).toHaveCount(0);
    }
    // Forms lead to pages of forms.
    const inPosts = page.locator('article form[action] button');
    expect(await inPosts.filter({ visible: true }).count()).toBeGreaterThan(0);
    await expect(inPosts.filter({ visible: false })).toHaveCount(0);
    await expect(page.getByText('Лента коротких записей')).toBeVisible();

    // The links of the bottom bar share its width.
    await page.setViewportSize(phone);
    const links = await page.getByRole('navigation', { name: 'Нижняя панель' }).getByRole('link').all();
    const widths = await Promise.all(links.map(async (link) => Math.round((await link.boundingBox())!.width)));
    expect(widths).toEqual([130, 130]);
  });
});

test('pages of forms are accessible and fit a narrow window', async ({ page, context, ownWall }) => {
  // Axe needs scripts; the app does not start.
  await page.route('**/assets/*.js', () => {});
  await page.clock.install();
  const ownerLink = `/owner/${await ownWall.seed.ownerCode()}`;
  await expectForms(page, ownWall, [ownerLink, '/sign-in']);
  const invitation = `/join/${await ownWall.seed.invitation(await newPerson(ownWall))}`;
  await expectForms(page, ownWall, [invitation]);
  const person = await openStory(context, ownWall);
  const { code } = await ownWall.seed.imported('boris_schukin');
  const mailed = [`/undo-email?token=${'a'.repeat(43)}`, `/unsubscribe?token=${'a'.repeat(43)}`];
  const links = ['/sign-in', `/claim/${code}`, invitation, ...mailed];
  await expectForms(page, ownWall, [...links, ...personalPaths(person)]);
});

async function expectForms(page: Page, wall: Wall, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(wall.url + path, { waitUntil: 'commit' });
    await expect(main(page), path).toBeVisible();
    await expectAccessible(page);
    await expectFits(page, desk, phone);
    const small = await page
      .locator('main :is(button, input:not([type=hidden])), nav a')
      .filter({ visible: true })
      .evaluateAll((all) =>
        all
          .filter((one) => (one.closest('label') ?? one).getBoundingClientRect().height < 39)
          .map(({ outerHTML }) => outerHTML),
      );
    expect(small, path).toEqual([]);
  }
}

test('a script that is broken leaves working links and forms', async ({ page, context, ownWall, pageErrors }) => {
  pageErrors.tolerate(/uncaught|SyntaxError|ERR_/);
  const { id, other } = await openStory(context, ownWall);
  for (const [what, fault] of Object.entries(brokenScripts)) {
    await test.step(`a script that ${what}`, async () => {
      await fault(page);
      await page.goto(`${ownWall.url}/notifications`);
      await expect(main(page).getByText('Спасибо за запись')).toBeVisible();
      await page.goto(ownWall.url);
      await expect(page.getByText('Страница загрузилась не полностью')).toBeVisible();
      const card = page.getByRole('article').filter({ hasText: 'Чужая запись' });
      await card.getByRole('button', { name: 'Действия с записью' }).click();
      await expect(page).toHaveURL(new RegExp(`/posts/${other}/actions`));
      await main(page).getByRole('button', { name: 'Нравится', exact: true }).click();
      await expect(main(page).getByText('Отмечено')).toBeVisible();
      await main(page)
        .getByRole('button', { name: /^Снять отметку/ })
        .click();
      await expect(main(page).getByText('Отметка снята')).toBeVisible();
      await sendForms(page, ownWall, id, what, async (path) => {
        await page.goto(ownWall.url + path);
        await page.waitForSelector('html[data-failed-start]', { state: 'attached' });
      });
      // A script that is still on the way is not part of the next step.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });
  }
});

test('links and forms wait for no script', async ({ page, context, ownWall }) => {
  const { id, other } = await openStory(context, ownWall);
  await holdScripts(page);
  await page.clock.install();
  await page.goto(`${ownWall.url}/notifications`, { waitUntil: 'commit' });
  await expect(main(page).getByText('Спасибо за запись')).toBeVisible();
  await page.goto(`${ownWall.url}/new`, { waitUntil: 'commit' });
  await expect(main(page).getByLabel('Текст записи')).toBeVisible();
  await page.goto(ownWall.url, { waitUntil: 'commit' });
  const card = page.getByRole('article').filter({ hasText: 'Чужая запись' });
  await card.getByRole('button', { name: 'Ответить' }).click();
  await page.clock.runFor(4_000);
  await expect(page).toHaveURL(new RegExp(`/posts/${other}/reply`));
  // The clock of the page stands still, so nothing waits for a timer.
  await sendForms(page, ownWall, id, 'Без скриптов', async (path) => {
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3_600_000);
    await page.goto(ownWall.url + path, { waitUntil: 'commit' });
  });
});

const profile = '/settings/account/profile';

test('a page made for one person is not shown to another, nor sent', async ({ page, context, ownWall }) => {
  const [anna, boris] = [await newPerson(ownWall), await newPerson(ownWall)];
  await ownWall.seed.name(anna.id, 'Анна Кузнецова');
  await enter(context, ownWall, anna.id);
  await page.route('**/assets/main-*.js', async (route) => {
    await enter(context, ownWall, boris.id);
    await route.continue();
  });
  // Also before a response has told who is signed in.
  const held = await holdBack(page, '**/api/v1/**');
  await page.goto(ownWall.url + profile);
  await hydrated(page);
  await expect(page.locator('#root')).not.toContainText(anna.name);
  await expect(page.locator('main form')).toHaveCount(0);
  held.resolve();
  await expect(profileLink(page)).toHaveText(boris.name);
  const name = page.getByRole('textbox', { name: 'Как вас называть' });
  await expect(name).toHaveValue('');
  await expect(page.locator('#root')).not.toContainText(anna.name);
  await name.fill('Борис');
  await mainButton(page, 'Сохранить').click();
  await expect(toast(page, 'Сохранено')).toBeVisible();
  expect((await ownWall.seed.choicesOf(boris.id)).display_name).toBe('Борис');
  expect((await ownWall.seed.choicesOf(anna.id)).display_name).toBe('Анна Кузнецова');
});

test('a form is not sent when the session has ended elsewhere', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/401/);
  const { id } = await signInNewPerson(page, ownWall);
  await openPage(page, ownWall.url + profile);
  await page.getByRole('textbox', { name: 'О себе' }).fill('Не сохранится');
  await endSessions(ownWall, id);
  await mainButton(page, 'Сохранить').click();
  await expect(toast(page, 'Сеанс завершён. Войдите снова, чтобы вернуться.')).toBeVisible();
  await expect(page).toHaveURL(`${ownWall.url}/`);
  await expect(signInButton(page)).toBeVisible();
  expect((await ownWall.seed.choicesOf(id)).about).toBeNull();
});

test('what is begun without scripts goes on with them', async ({ browser, context, page, ownWall, mail }) => {
  const [person, email] = [await newPerson(ownWall), newAddress()];
  const before = await browser.newContext({ javaScriptEnabled: false });
  const first = await before.newPage();
  await first.goto(`${ownWall.url}/sign-in?next=${paths.email}`);
  await emailField(first).fill(person.email);
  await mainButton(first, 'Получить код').click();
  await codeField(first).fill(await mail.codeTo(person.email));
  await mainButton(first, 'Продолжить').click();
  await newEmailField(first).fill(email);
  await mainButton(first, 'Получить код').click();
  await expect(codeField(first)).toBeVisible();
  const { cookies } = await before.storageState();
  await context.addCookies(cookies);
  await openPage(page, first.url());
  await expect(profileLink(page)).toHaveText(person.name);
  await expect(page.getByRole('main')).toContainText(email);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(page).toHaveURL(`${ownWall.url}${paths.settings}`);
  await expect(row(page, 'Электронная почта')).toContainText(email);
  await before.close();
});

/** Sends a form with a field, and one that is a button. */
async function sendForms(
  page: Page,
  { seed }: Wall,
  id: number,
  about: string,
  open: (path: string) => Promise<void>,
): Promise<void> {
  await open(profile);
  await page.getByRole('textbox', { name: 'О себе' }).fill(about);
  await mainButton(page, 'Сохранить').click();
  await expect(page.getByRole('main').getByText('Сохранено', { exact: true })).toBeVisible();
  expect((await seed.choicesOf(id)).about).toBe(about);

  await seed.session(id, { userAgent: 'Safari', userAgentVersion: '26.1', os: 'iOS 26.1' });
  await open('/settings/devices');
  await expect(others(page).filter({ hasText: 'Safari' })).toHaveCount(1);
  await closeOthersButton(page).click();
  await expect(page.getByText('Сессии завершены')).toBeVisible();
  await expect(noOthers(page)).toBeVisible();
}
