import { openPage } from '../../e2e/support/app.ts';
import { cardOf } from '../../e2e/support/feed.ts';
import { dialog, emailField } from '../../e2e/support/sign-in.ts';
import { option, optionsOf, switcher } from '../../e2e/support/views.ts';
import { menuButton, newPostButton } from '../../e2e/support/writing.ts';
import { expect, type Scene } from '../scene.ts';

/** What a visitor may not do. */
export async function asking({ check, newPage, write, place }: Scene): Promise<void> {
  const page = await newPage({ visits: true });
  const post = await write(`Для всех (${place})`);
  await openPage(page, `/posts/${post.id}`);
  const card = page.getByRole('main').getByRole('article').first();
  const opens = async (open: () => Promise<void>) => {
    await open();
    await expect(emailField(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  };
  await check('6.4', async () => {
    await opens(() => card.getByRole('button', { name: 'Нравится' }).click());
    await opens(() => card.getByRole('button', { name: 'Ответить' }).click());
    await opens(() => newPostButton(page).filter({ visible: true }).click());
  });
  await check('6.4', async () => {
    await openPage(page, '/');
    await opens(() => cardOf(page, post.text).getByRole('button', { name: 'Нравится' }).click());
    await opens(() => cardOf(page, post.text).getByRole('button', { name: 'Ответить' }).click());
    await opens(() => newPostButton(page).filter({ visible: true }).click());
  });
  await check('6.8', async () => {
    await menuButton(page, post.text).click();
    await expect(page.getByRole('menuitem', { name: 'Пожаловаться' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Удалить' })).toHaveCount(0);
    await page.keyboard.press('Escape');
  });
  await check(['2.25', '2.26'], async () => {
    await expect(switcher(page)).toContainText('Новые');
    await switcher(page).click();
    await expect(optionsOf(page)).toHaveText(['Понравившиеся', 'Мои записи', 'Мои ответы']);
  });
  await check('9.15', async () => {
    const chosen = page.getByRole('option', { selected: true });
    // Playwright has no key for a Russian letter.
    const type = (key: string) => switcher(page).dispatchEvent('keydown', { key });
    await page.clock.pauseAt(Date.now() + 60_000);
    await type('п');
    await expect(chosen).toHaveText('Понравившиеся');
    await page.clock.runFor(349);
    await type('м');
    await expect(chosen).toHaveText('Понравившиеся');
    await page.clock.runFor(350);
    await type('м');
    await expect(chosen).toHaveText('Мои записи');
    await page.clock.resume();
  });
  await check('6.5', async () => {
    await option(page, 'Мои записи').click();
    await expect(dialog(page)).toBeVisible();
  });
  await page.context().close();
}
