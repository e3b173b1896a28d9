import { openPage, reloadPage } from './support/app.ts';
import { codeFiles } from './support/code-files.ts';
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

  test('opens next to its button, wherever the button is', async ({ page }) => {
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
  });

  test('copies the link', async ({ page, context, wall }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await choose(page, texts.lines, 'Скопировать ссылку');
    await expect(toast(page, 'Ссылка скопирована')).toBeVisible();
    const link = `${wall.url}/posts/${wall.ids.lines}`;
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await expect(menuButton(page, texts.lines)).toBeFocused();
  });

  test('copies the link where the Clipboard API is missing', async ({ page, context, wall }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('plain http'));
    });
    await choose(page, texts.links, 'Скопировать ссылку');
    await expect(toast(page, 'Ссылка скопирована')).toBeVisible();
    const link = `${wall.url}/posts/${wall.ids.links}`;
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  });

  test('reports when the menu fails to load, and opens it on the next click', async ({ page, pageErrors }) => {
    pageErrors.expect(/ERR_CONNECTION_RESET/);
    const code = codeFiles.visitor;
    await page.route(code, (route) => route.abort('connectionreset'));
    // The page preloads the menu before the click.
    await reloadPage(page);
    await menuButton(page, texts.lines).click();
    await expect(toast(page, 'Не удалось загрузить.')).toBeVisible();
    await page.unroute(code);
    await menuButton(page, texts.lines).click();
    await expect(page.getByRole('menu')).toBeVisible();
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
