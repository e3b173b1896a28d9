import { openPage } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { texts } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';
import { choice, choose, signInNewPerson, menuButton, publish, textField, toast } from './support/writing.ts';

test.describe('a visitor', () => {
  test.beforeEach(async ({ page }) => {
    await openPage(page, '/');
  });

  test('a second click, a click outside, Tab and Escape close the menu', async ({ page, wall }) => {
    const menu = page.getByRole('menu');
    for (const close of [
      () => menuButton(page, texts.lines).click(),
      () => page.mouse.click(10, 10),
      () => page.keyboard.press('Tab'),
      () => page.keyboard.press('Escape'),
    ]) {
      await menuButton(page, texts.lines).click();
      await expect(menu).toBeVisible();
      await expect(menuButton(page, texts.lines)).toHaveAttribute('popovertarget');
      await close();
      await expect(menu).toBeHidden();
      await expect(menuButton(page, texts.lines)).not.toHaveAttribute('popovertarget');
    }
    await expect(menuButton(page, texts.lines)).toBeFocused();
    await expect(page).toHaveURL(`${wall.url}/`);
  });

  test('opens next to its button, wherever the button is, and copies the link, also without the Clipboard API', async ({
    page,
    context,
    wall,
  }) => {
    for (const text of [texts.discussed, texts.full]) {
      await cardOf(page, text).first().scrollIntoViewIfNeeded();
      await menuButton(page, text).click();
      await expect(page.getByRole('menu')).toBeVisible();
      const [button, menu] = [await menuButton(page, text).boundingBox(), await page.getByRole('menu').boundingBox()];
      const gap = Math.min(
        Math.abs(menu!.y - button!.y - button!.height),
        Math.abs(button!.y - menu!.y - menu!.height),
      );
      expect(gap).toBeLessThanOrEqual(1);
      expect(menu!.x + menu!.width).toBeCloseTo(button!.x + button!.width, 0);
      await page.keyboard.press('Escape');
    }

    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await choose(page, texts.lines, 'Скопировать ссылку');
    await expect(toast(page, 'Ссылка скопирована')).toBeVisible();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    expect(await copied()).toBe(`${wall.url}/posts/${wall.ids.lines}`);
    await expect(menuButton(page, texts.lines)).toBeFocused();

    await openPage(page, '/');
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('plain http'));
    });
    await choose(page, texts.links, 'Скопировать ссылку');
    await expect(toast(page, 'Ссылка скопирована')).toBeVisible();
    expect(await copied()).toBe(`${wall.url}/posts/${wall.ids.links}`);
  });
});

test('a dialog that the menu has opened returns the focus to its button', async ({ page, ownWall }) => {
  await ownWall.seed.posts([{ by: await ownWall.seed.person('galina_m'), text: 'Чужая запись' }]);
  await signInNewPerson(page, ownWall);
  await publish(page, 'Своя запись');
  await choose(page, 'Своя запись', /Изменить/);
  await textField(page).fill('Исправленная');
  await choice(page, 'Сохранить').click();
  await expect(menuButton(page, 'Исправленная')).toBeFocused();
  await choose(page, 'Чужая запись', 'Пожаловаться');
  await page.getByRole('dialog').getByText('Спам').click();
  await choice(page, 'Отправить').click();
  await expect(menuButton(page, 'Чужая запись')).toBeFocused();
});
