import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { openNotifications } from '../support/notifications.ts';
import { hydrated } from '../support/app.ts';
import { askForCode, codeField, openDialog } from '../support/sign-in.ts';
import { takePictures } from '../support/gallery.ts';
import { loud, muteButton, seedAuthors, texts } from '../support/muting.ts';
import { expect, test } from '../support/test.ts';
import type { Wall } from '../support/wall.ts';
import { choose, menuButton, signInNewPerson } from '../support/writing.ts';

const lists = ['/liked', '/own/posts', '/own/replies', '/notifications', '/settings/muted', '/settings/notifications'];

async function open(page: Page, wall: Wall, path: string): Promise<void> {
  await page.goto(wall.url + path);
  await hydrated(page);
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
}

test('own lists, empty and full', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  pageErrors.expect(/503/);
  const { id: me, name } = await signInNewPerson(page, ownWall);
  for (const path of lists) {
    await open(page, ownWall, path);
    await takePictures(page, `empty${path.replaceAll('/', '-')}`);
    if (path === '/own/replies') await expectAccessible(page);
  }
  const { disputed, loudPost } = await seedAuthors(ownWall);
  const boris = await ownWall.seed.person('boris_petrov');
  const [mine, removed] = await ownWall.seed.posts([
    { by: me, text: 'Кто знает хорошую пекарню?', age: 3_600 },
    { by: me, text: 'Слоны оптом и в розницу!', age: 60 },
  ]);
  await ownWall.seed.replies(disputed, [{ by: me, text: 'Спорить не о чем' }]);
  await ownWall.seed.replies(mine!, [
    { by: boris, text: 'У старого моста, за аптекой' },
    { by: boris, text: 'По субботам только до двух' },
  ]);
  const [followed] = await ownWall.seed.posts([
    { by: boris, text: 'Где чинят коньки? Прошлая мастерская закрылась весной' },
  ]);
  await ownWall.seed.follow(followed!, me);
  const [forgotten] = await ownWall.seed.posts([{ by: me, text: 'Скоро удалю' }]);
  await ownWall.seed.replies(forgotten!, [{ by: boris, text: 'Не надо удалять' }]);
  await ownWall.seed.remove(forgotten!);
  const [hers] = await ownWall.seed.replies(followed!, [{ by: me, text: 'Тоже ищу' }]);
  await ownWall.seed.replies(followed!, [{ by: boris, text: 'Нашёл сам: на рынке, у входа' }]);
  await ownWall.seed.replies(hers!, [
    { by: boris, text: 'Точат за полчаса' },
    { by: boris, text: 'И берут недорого' },
  ]);
  await ownWall.seed.posts([{ by: boris, text: `Спасибо, @${name}, за пекарню` }]);
  await ownWall.seed.like(loudPost, me);
  await ownWall.admin('remove', `${removed}`, '--reason', 'Реклама запрещена правилами стены');
  await open(page, ownWall, '/');
  await choose(page, texts.loud, 'Не показывать автора');
  await takePictures(page, 'feed-muted');
  await openNotifications(page, ownWall);
  await takePictures(page, 'list-notifications');
  await menuButton(page, 'Точат за полчаса').click();
  await expect(page.getByRole('menuitem', { name: 'Не следить' })).toBeVisible();
  await takePictures(page, 'menu-followed');
  await page.keyboard.press('Escape');
  for (const path of lists.filter((path) => path !== '/notifications')) {
    await open(page, ownWall, path);
    await takePictures(page, `list${path.replaceAll('/', '-')}`);
    if (path === '/liked') await expectAccessible(page);
  }
  await page.route('**/notification-settings', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
  await open(page, ownWall, '/settings/notifications');
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await page.getByRole('button', { name: 'Повторить' }).click();
  await page.getByLabel('Раз в день').check();
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Сохранено' })).toBeVisible();
  await takePictures(page, 'notification-settings-saved');
  await page.route('**/notification-settings', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
  await page.getByLabel('Раз в неделю').check();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Не сохранено');
  await takePictures(page, 'notification-settings-failed');
  await open(page, ownWall, `/users/${loud}`);
  await expect(muteButton(page)).toBeVisible();
  await takePictures(page, 'author-muted');
  await open(page, ownWall, `/posts/${removed}`);
  await expect(page.getByRole('region', { name: 'Убранное со стены' })).toBeVisible();
  await takePictures(page, 'post-removed');
});

test('what moderators did: a removed post, the end of the session, and a refused sign-in', async ({
  page,
  ownWall,
  mail,
  pageErrors,
}) => {
  pageErrors.expect(/403/);
  pageErrors.expect(/400/);
  const { id, name, email } = await signInNewPerson(page, ownWall);
  const [post] = await ownWall.seed.posts([{ by: id, text: 'Выиграй миллион!' }]);
  await ownWall.admin('remove', `${post}`, '--reason', 'реклама');
  await page.goto(`${ownWall.url}/own/posts`);
  await expect(page.getByRole('region', { name: 'Убранное со стены' })).toBeVisible();
  await expectAccessible(page);
  // An open page may learn of the block by itself and be left before it says so.
  await page.goto('about:blank');
  await ownWall.admin('block', name, '--reason', 'Реклама в каждом ответе');
  await page.goto(ownWall.url);
  await page.getByRole('dialog', { name: 'Учётная запись заблокирована' }).waitFor();
  await takePictures(page, 'blocked');
  await expectAccessible(page);
  await openDialog(page, ownWall.url);
  await askForCode(page, email);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(page.getByRole('dialog')).toContainText('Реклама');
  await takePictures(page, 'sign-in-blocked');
  await expectAccessible(page);
});
