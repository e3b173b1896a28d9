import type { Page } from '@playwright/test';
import { dialogLeft } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { aboveKeyboard, emulateOverlaidKeyboard, expectInSight, setVisible } from './support/phone-keyboard.ts';
import { phone } from './support/screens.ts';
import { newPerson, restoreSession } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { choice, choose, newPostButton, textField } from './support/writing.ts';

const long = 'Как вы помните, в прошлый раз всё было иначе.\n'.repeat(10).trim();

/** Signs in a person with a long post of their own and one of another author to reply to. */
async function openWall(page: Page, wall: Wall): Promise<void> {
  const me = await newPerson(wall);
  const galina = await wall.seed.person('galina_m');
  await wall.seed.posts([
    { by: galina, text: `Вопрос. ${long}` },
    { by: me.id, text: `Моя запись. ${long}` },
  ]);
  await restoreSession(page, wall, me);
}

const quote = (page: Page) => page.getByRole('dialog').getByRole('blockquote');
const reply = (page: Page) => cardOf(page, 'Вопрос.').getByRole('button', { name: 'Ответить' }).click();

const dialogs = [
  { name: 'new post', button: 'Опубликовать', open: (page: Page) => newPostButton(page).click() },
  { name: 'reply', button: 'Опубликовать', open: reply },
  { name: 'edit', button: 'Сохранить', open: (page: Page) => choose(page, 'Моя запись.', /Изменить/) },
];

test.describe('on a phone', () => {
  test.use({ viewport: phone });

  const filled = async (page: Page, open: (page: Page) => Promise<unknown>) => {
    await open(page);
    await textField(page).fill(`${long} Вот.`);
  };
  const close = async (page: Page) => {
    await page.keyboard.press('Escape');
    await dialogLeft(page);
  };

  test('the button of a dialog stays in sight when the keyboard makes the page smaller', async ({ page, ownWall }) => {
    await openWall(page, ownWall);
    for (const { name, button, open } of dialogs) {
      await test.step(name, async () => {
        await filled(page, open);
        await expectInSight(choice(page, button), { top: 0, height: phone.height });
        for (const height of [aboveKeyboard.height, 330, 240]) {
          await page.setViewportSize({ width: phone.width, height });
          await expectInSight(choice(page, button), { top: 0, height });
        }
        await page.setViewportSize(phone);
        await close(page);
      });
    }
  });

  test('the button of a dialog stays in sight above a keyboard that covers the page', async ({ page, ownWall }) => {
    await emulateOverlaidKeyboard(page);
    await openWall(page, ownWall);
    for (const { name, button, open } of dialogs) {
      await test.step(name, async () => {
        await filled(page, open);
        for (const visible of [
          { top: 0, height: 508 },
          { top: 120, height: 508 },
          { top: 40, height: 330 },
          { top: 0, height: phone.height },
        ]) {
          await setVisible(page, visible);
          await expectInSight(choice(page, button), visible);
          const { y } = (await page.getByRole('heading', { level: 2 }).boundingBox())!;
          expect(y).toBeGreaterThanOrEqual(visible.top);
        }
        await close(page);
      });
    }
  });

  test('what is answered, the text and the button are in sight together above the keyboard', async ({
    page,
    ownWall,
  }) => {
    await openWall(page, ownWall);
    await expect(page.locator('meta[name=viewport]')).toHaveAttribute('content', /interactive-widget=resizes-content/);
    await reply(page);
    await textField(page).fill(long);
    await page.setViewportSize(aboveKeyboard);
    const form = page.getByRole('dialog').locator('form');
    await expect.poll(() => form.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
    await expect(quote(page)).toBeInViewport({ ratio: 1 });
    await expect(textField(page)).toBeInViewport({ ratio: 1 });
    expect((await textField(page).boundingBox())!.height).toBeGreaterThan(4 * 23);
    await expectInSight(choice(page, 'Опубликовать'), { top: 0, height: aboveKeyboard.height });
  });
});

test('the whole post can be read in the reply dialog, also by keyboard', async ({ page, ownWall }) => {
  await openWall(page, ownWall);
  await reply(page);
  await expect(quote(page)).toContainText('galina_m');
  await expect(textField(page)).toBeFocused();
  const hidden = () => quote(page).evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop);
  expect(await hidden()).toBeGreaterThan(40);
  await page.keyboard.press('Shift+Tab');
  await expect(quote(page)).toBeFocused();
  await page.keyboard.press('End');
  await expect.poll(hidden).toBeLessThan(2);
});
