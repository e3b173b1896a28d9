import { hydrated } from './support/app.ts';
import { profileLink } from './support/sign-in.ts';
import { collapsedPost, expectMuted, loud, loudText, muteButton, seedAuthors, texts } from './support/muting.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import { choose, signInNewPerson, toast } from './support/writing.ts';

test('a reload neither shifts the page nor shows the muted posts', async ({ page, ownWall }) => {
  const { calmReply, disputed } = await seedAuthors(ownWall);
  await signInNewPerson(page, ownWall);
  await choose(page, texts.loud, 'Не показывать автора');
  await expect(toast(page, 'Автор не показывается')).toBeVisible();
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

test('other tabs follow what is muted', async ({ page, context, ownWall }) => {
  await seedAuthors(ownWall);
  await signInNewPerson(page, ownWall);
  const tab = await context.newPage();
  await tab.goto(ownWall.url);
  await expect(loudText(tab)).toBeVisible();
  await page.goto(`${ownWall.url}/users/${loud}`);
  await muteButton(page).click();
  await expectMuted(tab);
  await muteButton(page).click();
  await expect(loudText(tab)).toBeVisible();
});
