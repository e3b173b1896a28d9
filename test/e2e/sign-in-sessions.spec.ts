import type { Page, Request } from '@playwright/test';
import { mutesLoaded, openPage } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import {
  askForCode,
  codeField,
  dialog,
  endSessions,
  enter,
  newPerson,
  profileLink,
  signIn,
  signInButton,
  signOut,
} from './support/sign-in.ts';
import { expect, nightly, test } from './support/test.ts';
import { expectTexts, option, switcher } from './support/views.ts';
import { callsOf, choice, newPostButton, textField, toast } from './support/writing.ts';

test('signing in and out reaches the other tabs, in which nothing of the person remains', async ({
  page,
  context,
  wall,
  mail,
}) => {
  const person = await newPerson(wall);
  const other = await context.newPage();
  await openPage(other, `${wall.url}/posts/${wall.ids.discussed}`);
  const writing = await context.newPage();
  await openPage(writing, wall.url);
  await newPostButton(writing).click();
  await expect(dialog(writing)).toBeVisible();
  await signIn(page, mail, wall.url, person);
  await expect(profileLink(other)).toHaveText(person.name);
  await expect(writing.getByRole('dialog', { name: 'Новая запись' })).toBeVisible();
  await textField(writing).fill('Отсюда');
  await expect(choice(writing, 'Опубликовать')).toBeEnabled();
  await writing.close();
  const settings = await context.newPage();
  await openPage(settings, `${wall.url}/settings`);
  await expect(settings.getByRole('button', { name: 'Выйти' })).toBeVisible();
  const liked = await context.newPage();
  const mutes = mutesLoaded(liked);
  await openPage(liked, `${wall.url}/liked`);
  await expect(liked.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
  await mutes;
  const own = await settings.evaluate(async () => {
    const html = await (await fetch('/settings')).text();
    return /"hidden":\{"token":"([\w-]{43})"/.exec(html)![1]!;
  });

  await Promise.all([toast(settings, 'Сеанс завершён. Войдите снова, чтобы вернуться.').waitFor(), signOut(page)]);
  await expect(signInButton(other)).toBeVisible();
  for (const tab of [settings, liked]) {
    await expect(tab).toHaveURL('/');
    await expect(signInButton(tab)).toBeVisible();
  }
  await expect(toast(page, 'Сеанс завершён')).toHaveCount(0);
  const tabs = [page, other, settings, liked];
  const kept = async () => {
    const documents = await Promise.all(tabs.map((tab) => tab.content()));
    return documents.map((html) => [person.email, person.name, own].filter((text) => html.includes(text)));
  };
  await expect.poll(kept).toEqual(tabs.map(() => []));
  await signIn(page, mail, wall.url, await newPerson(wall));
  await expect(profileLink(other)).toBeVisible();
  await expect.poll(kept).toEqual(tabs.map(() => []));
});

test('whatever comes after the end of a session keeps a text', async ({ page, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/401/);
  const [person, by] = [await newPerson(ownWall), await ownWall.seed.person('boris_petrov')];
  await ownWall.seed.posts([{ by, text: 'Кто на каток?' }]);
  const post = cardOf(page, 'Кто на каток?');
  const like = post.getByRole('button', { name: /^Нравится/ });
  // At any time a tab writes how far a person has read, and would find the session ended.
  await page.route('**/api/v1/users/current/reading', (route) => route.fulfill({ status: 204 }));
  const open = async () => {
    await enter(page.context(), ownWall, person.id);
    const loaded = [mutesLoaded(page), page.waitForResponse('**/api/v1/posts/waiting')];
    await openPage(page, ownWall.url);
    await Promise.all(loaded);
    await expect(profileLink(page)).toBeVisible();
  };
  const chooseLiked = async () => {
    await switcher(page).click();
    await option(page, 'Понравившиеся').click();
  };
  const sent = callsOf(page, 'POST', /\/likes$/);
  for (const [what, act, path] of [
    ['a like', () => like.click(), '/'],
    ['a link', () => page.getByRole('main').getByRole('link', { name: 'boris_petrov' }).click(), '/users/boris_petrov'],
    ['a list of one’s own', chooseLiked, '/'],
    ['the settings', () => profileLink(page).click(), '/'],
    ['a page load', () => page.goto(`${ownWall.url}/settings/devices`), '/'],
  ] as const) {
    await test.step(what, async () => {
      await open();
      await endSessions(ownWall, person.id);
      await act();
      await expect(signInButton(page)).toBeVisible();
      await expect(page).toHaveURL(ownWall.url + path);
      await expectTexts(page, ['Кто на каток?']);
      await expect(like).toHaveAttribute('aria-pressed', 'false');
    });
  }
  expect(sent).toHaveLength(1);

  await open();
  await post.getByRole('button', { name: 'Ответить' }).click();
  await textField(page).fill('Я иду');
  await endSessions(ownWall, person.id);
  await choice(page, 'Опубликовать').click();
  await askForCode(page, person.email);
  await codeField(page).fill(await mail.codeTo(person.email));
  await expect(page.getByRole('dialog', { name: 'Ответ' })).toBeVisible();
  await expect(textField(page)).toHaveValue('Я иду');
  await choice(page, 'Опубликовать').click();
  await expect(toast(page, 'Опубликовано')).toBeVisible();
});

test(
  'a page follows the cookies, and once the mark of 1.0.0',
  nightly,
  async ({ page, context, ownWall, pageErrors }) => {
    pageErrors.expect(/401/);
    const person = await newPerson(ownWall);
    const renewals = callsOf(page, 'PATCH', /\/sessions\/current$/);
    const look = () => page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
    await openPage(page, ownWall.url);
    await expect(signInButton(page)).toBeVisible();
    expect(renewals).toEqual([]);
    await enter(page.context(), ownWall, person.id);
    await look();
    await expect(profileLink(page)).toHaveText(person.name);
    await context.clearCookies();
    await look();
    await expect(signInButton(page)).toBeVisible();

    const mark = async () => {
      await page.goto(`${ownWall.url}/favicon.svg`);
      await page.evaluate(() => localStorage.setItem('signed-in', '2026-11-25T12:00:00.000Z'));
    };
    const flag = await enter(context, ownWall, person.id);
    await context.clearCookies({ name: 'signed-in' });
    await mark();
    for (let turn = 0; turn < 2; turn += 1) {
      await openPage(page, `${ownWall.url}/settings`);
      await expect(profileLink(page)).toHaveText(person.name);
      await expect(page).toHaveURL(`${ownWall.url}/settings`);
      expect(await page.evaluate(() => [document.cookie, localStorage.getItem('signed-in')])).toEqual([
        `signed-in=${flag}`,
        null,
      ]);
    }
    await context.clearCookies();
    await mark();
    renewals.length = 0;
    for (let turn = 0; turn < 2; turn += 1) {
      await openPage(page, ownWall.url);
      await expect(signInButton(page)).toBeVisible();
      expect(renewals).toHaveLength(1);
    }
  },
);

test.describe('with tokens that are always about to expire', () => {
  test.use({ settings: { ACCESS_TOKEN_SECONDS: '2' } });

  test('two tabs renew them at the same time and stay signed in', async ({ page, context, ownWall, mail }) => {
    const person = await newPerson(ownWall);
    await signIn(page, mail, ownWall.url, person);
    const tabs = [page, await context.newPage()];
    let lastToken = '';
    const note = (request: Request) => (lastToken = request.headers()['authorization'] ?? lastToken);
    for (const tab of tabs) tab.on('request', note);
    for (let turn = 0; turn < 3; turn += 1) {
      await Promise.all(tabs.map((tab) => tab.goto(`${ownWall.url}/settings`)));
      for (const tab of tabs) await expect(tab.getByRole('main')).toContainText(person.email);
      await Promise.all(tabs.map((tab) => tab.getByRole('link', { name: 'Лента' }).click()));
      for (const tab of tabs) await expect(tab).toHaveURL(`${ownWall.url}/`);
    }
    await expect
      .poll(() => statusWith(page, `${ownWall.url}/api/v1/sessions`, lastToken), {
        message: 'the last token is too old',
      })
      .toBe(401);
    for (const tab of tabs) {
      await profileLink(tab).click();
      await expect(tab.getByRole('main')).toContainText(person.email);
    }
  });
});

async function statusWith(page: Page, address: string, authorization: string): Promise<number> {
  return (await page.request.get(address, { headers: { authorization } })).status();
}
