import { expectAccessible } from './support/accessible.ts';
import { hydrated } from './support/app.ts';
import { askForCode, codeField, newPerson, profileLink } from './support/sign-in.ts';
import { articles, cardOf } from './support/feed.ts';
import {
  expectMuted,
  loud,
  loudText,
  muteButton,
  opener,
  collapsedPost,
  seedAuthors,
  texts,
} from './support/muting.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import { callsOf, choose, signInNewPerson, menuButton, toast } from './support/writing.ts';

const mutes = /\/users\/current\/mutes/;

test('posts of a muted author collapse to a line, only for the person who muted', async ({
  page,
  browser,
  ownWall,
}) => {
  const { disputed, loudPost, calmReply } = await seedAuthors(ownWall);
  await signInNewPerson(page, ownWall);
  await choose(page, texts.loud, 'Скрыть автора');
  await expectMuted(page);
  await expect(menuButton(page, loud)).toBeFocused();
  await expect(toast(page, 'Автор скрыт')).toBeVisible();
  expect((await collapsedPost(page).boundingBox())!.height).toBeGreaterThanOrEqual(44);

  await cardOf(page, texts.disputed).locator('time').click();
  await expect(cardOf(page, texts.disputed).getByRole('button', { name: 'Ответить' })).toContainText('2');
  await expect(opener(page)).toBeVisible();
  await expect(page.getByText('А я не согласен')).toHaveCount(0);
  await page.goBack();

  await opener(page).dblclick();
  await expect(loudText(page)).toBeVisible();
  await expect(collapsedPost(page)).toBeFocused();
  await collapsedPost(page).locator('time').click();
  await expect(page).toHaveURL(`${ownWall.url}/posts/${loudPost}`);
  await expect(loudText(page)).toBeVisible();
  await expect(page.getByRole('main')).toContainText('автор скрыт');
  await page.goBack();
  await expect(loudText(page)).toBeVisible();

  await page.goto(`${ownWall.url}/posts/${calmReply}`);
  await expect(page.getByRole('link', { name: loud })).toHaveText(`${loud}Автор скрыт`);

  const elsewhere = await browser.newPage();
  for (const path of ['/', `/posts/${disputed}`, `/posts/${calmReply}`]) {
    await elsewhere.goto(ownWall.url + path);
    await hydrated(elsewhere);
    await expect(elsewhere.getByText(/автор скрыт/i)).toHaveCount(0);
  }
  await elsewhere.close();

  await page.goto(ownWall.url);
  await choose(page, loud, 'Показывать автора');
  await expect(loudText(page)).toBeVisible();
  await expect(toast(page, 'Автор снова виден')).toBeVisible();
});

test('a reload neither shifts the page nor shows the muted posts', async ({ page, ownWall }) => {
  const { calmReply, disputed } = await seedAuthors(ownWall);
  await signInNewPerson(page, ownWall);
  await choose(page, texts.loud, 'Скрыть автора');
  await expect(toast(page, 'Автор скрыт')).toBeVisible();
  await watchShift(page);
  for (const viewport of [phone, tablet, desk]) {
    await page.setViewportSize(viewport);
    for (const path of ['/', `/posts/${disputed}`, `/posts/${calmReply}`, `/users/${loud}`]) {
      await page.goto(ownWall.url + path);
      await hydrated(page);
      // On a phone it is there and not shown.
      await expect(profileLink(page)).toBeAttached();
      await expectNoShift(page);
    }
  }

  await page.goto(ownWall.url);
  const asLine = await collapsedPost(page).boundingBox();
  await page.goto(`${ownWall.url}/posts/${calmReply}`);
  const quote = page.getByRole('group', { name: 'Начало обсуждения' }).getByRole('link', { name: loud });
  const asQuote = await quote.boundingBox();
  const shown = (text: string) =>
    page
      .getByText(text)
      .evaluateAll((nodes) => nodes.filter((node) => node.checkVisibility({ visibilityProperty: true })).length);
  // The text visible before hydration.
  await page.route('**/assets/*.js', () => {});
  await page.goto(`${ownWall.url}/posts/${calmReply}`, { waitUntil: 'commit' });
  expect(await quote.boundingBox()).toEqual(asQuote);
  expect(await shown(texts.loud)).toBe(0);
  await page.goto(ownWall.url, { waitUntil: 'commit' });
  expect(await collapsedPost(page).boundingBox()).toEqual(asLine);
  expect(await shown(texts.loud)).toBe(0);
  expect(await shown(texts.calm)).toBe(1);
});

test('muting works on the author’s page and in settings; other tabs follow', async ({
  page,
  context,
  ownWall,
  pageErrors,
}) => {
  test.setTimeout(60_000);
  pageErrors.expect(/ERR_FAILED/);
  await seedAuthors(ownWall);
  const { name } = await signInNewPerson(page, ownWall);
  const tab = await context.newPage();
  await tab.goto(ownWall.url);
  await expect(loudText(tab)).toBeVisible();

  await page.goto(`${ownWall.url}/users/${name}`);
  await expect(profileLink(page)).toBeVisible();
  await expect(muteButton(page)).toHaveCount(0);
  await page.goto(`${ownWall.url}/users/${loud}`);
  await muteButton(page).dblclick();
  await expect(toast(page, 'Автор скрыт')).toBeVisible();
  await expect(muteButton(page)).toHaveText('Показывать автора');
  await expect(page.getByText('Вы скрыли этого автора')).toBeVisible();
  await expect(loudText(page)).toBeVisible();
  await expectMuted(tab);

  await profileLink(page).click();
  await page.route(mutes, (route) => route.abort());
  await page.getByRole('main').getByRole('link', { name: 'Скрытые авторы' }).click();
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await page.unroute(mutes);
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(page.getByRole('listitem')).toHaveText([new RegExp(loud)]);
  await expectAccessible(page);
  await muteButton(page).click();
  await expect(muteButton(page)).toHaveText('Скрыть');
  await expect(loudText(tab)).toBeVisible();
  await expect(toast(page, 'Автор снова виден')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Вы никого не скрыли' })).toBeVisible();
});

test('mutes before the response and reverts when the server refuses', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/503/);
  await seedAuthors(ownWall);
  await signInNewPerson(page, ownWall);
  let refuse = () => {};
  const refused = new Promise<void>((resolve) => (refuse = resolve));
  await page.route(mutes, async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback();
    await refused;
    await route.fulfill({ status: 503, json: { code: 'UNAVAILABLE', message: 'Сервис временно недоступен.' } });
  });
  await choose(page, texts.loud, 'Скрыть автора');
  await expectMuted(page);
  refuse();
  await expect(toast(page, 'Сервис временно недоступен.')).toBeVisible();
  await expect(loudText(page)).toBeVisible();
  await page.reload();
  await expect(loudText(page)).toBeVisible();
});

test('a visitor signs in first; signing out shows all posts again', async ({ page, ownWall, mail }) => {
  await seedAuthors(ownWall);
  const person = await newPerson(ownWall);
  const asked = callsOf(page, 'GET', mutes);
  await page.goto(`${ownWall.url}/users/${loud}`);
  await hydrated(page);
  await muteButton(page).click();
  expect(asked).toEqual([]);
  await askForCode(page, person.email);
  await codeField(page).fill(await mail.codeTo(person.email));
  await expect(toast(page, 'Автор скрыт')).toBeVisible();
  await expect(page).toHaveURL(`${ownWall.url}/users/${loud}`);
  await expect(muteButton(page)).toHaveText('Показывать автора');
  await profileLink(page).click();
  await page.getByRole('button', { name: 'Выйти' }).click();
  await expect(page).toHaveURL(`${ownWall.url}/`);
  await expect(loudText(page)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('muted'))).toBeNull();
});

test('a browser without stored mutes loads them and does not announce muted posts', async ({ page, ownWall }) => {
  const { loudId, calmId } = await seedAuthors(ownWall);
  await signInNewPerson(page, ownWall);
  await choose(page, texts.loud, 'Скрыть автора');
  await expect(toast(page, 'Автор скрыт')).toBeVisible();
  await page.evaluate(() => localStorage.removeItem('muted'));
  await page.reload();
  await expectMuted(page);
  await ownWall.seed.posts([
    { by: loudId, text: 'И ещё' },
    { by: loudId, text: 'И снова' },
    { by: calmId, text: 'Тихий вечер' },
  ]);
  await page.getByRole('button', { name: 'Показать новые: 1' }).click();
  await expect(cardOf(page, 'Тихий вечер')).toBeVisible();
  await expect(articles(page)).toHaveCount(6);
  await expect(page.getByText('И снова')).toHaveCount(0);
});

test('replies of a muted author are not among the notifications, nor counted', async ({ page, ownWall }) => {
  const { loudId, calmId } = await seedAuthors(ownWall);
  const me = await signInNewPerson(page, ownWall);
  const [mine] = await ownWall.seed.posts([{ by: me.id, text: 'Что скажете?' }]);
  await ownWall.seed.replies(mine!, [
    { by: calmId, text: 'Скажу тихо' },
    { by: loudId, text: 'Скажу громко' },
  ]);
  await choose(page, texts.loud, 'Скрыть автора');
  await expect(toast(page, 'Автор скрыт')).toBeVisible();
  // The replies of an author who is muted already make no notification.
  await ownWall.seed.replies(mine!, [{ by: loudId, text: 'И ещё громче' }]);
  await page.getByRole('navigation').getByRole('link', { name: 'Уведомления, непрочитанных: 1' }).click();
  await expect(articles(page)).toHaveCount(1);
  await expect(articles(page)).toContainText(['Скажу тихо']);
  await expect(page.getByText('громко')).toHaveCount(0);
});
