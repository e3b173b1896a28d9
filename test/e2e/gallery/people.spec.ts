import { openPage } from '../support/app.ts';
import { articles } from '../support/feed.ts';
import { takePictures } from '../support/gallery.ts';
import { newPerson, restoreSession } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { choice, newPostButton, textField } from '../support/writing.ts';

test('a lived-in wall', async ({ page, ownWall }) => {
  await ownWall.demo(3_000);
  await openPage(page, ownWall.url);
  await takePictures(page, 'demo-feed');
  await openPage(page, `${ownWall.url}/discussed`);
  await takePictures(page, 'demo-discussed');
  await articles(page).first().locator('time[title]').click();
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  await takePictures(page, 'demo-discussion');
  await page.locator('main article a[href^="/users/"]').first().click();
  await expect(page.getByRole('navigation', { name: 'Записи и ответы' })).toBeVisible();
  await takePictures(page, 'demo-author');
});

test('one’s own page, what one follows and has saved', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/400/);
  await ownWall.demo(1_000);
  const person = await newPerson(ownWall);
  await restoreSession(page, ownWall, person, '/settings/account/profile');
  await page.getByRole('textbox', { name: 'Имя', exact: true }).fill('Аня с Мира');
  await page.getByRole('textbox', { name: 'О себе' }).fill('Живу у вокзала, чиню велосипеды, читаю всё про сад');
  await takePictures(page, 'settings-profile');
  await page.getByRole('textbox', { name: 'Имя', exact: true }).fill('Модератор');
  await page.getByRole('button', { name: 'Сохранить' }).click();
  await expect(page.getByRole('main').getByRole('alert').filter({ hasText: /./ })).toBeVisible();
  await takePictures(page, 'settings-profile-refused');
  await page.getByRole('textbox', { name: 'Имя', exact: true }).fill('Аня с Мира');
  await page.getByRole('button', { name: 'Сохранить' }).click();
  await expect(page).toHaveURL(/\/settings$/);
  for (const path of ['/following', '/own/saved']) {
    await openPage(page, ownWall.url + path);
    await takePictures(page, `empty${path.replaceAll('/', '-')}`);
  }
  await openPage(page, `${ownWall.url}/discussed`);
  const roots: number[] = [];
  for (let place = 0; place < 4; place += 1) {
    const card = articles(page).nth(place);
    roots.push(Number((await card.locator('[data-permalink]').getAttribute('href'))!.split('/').at(-1)));
    await card.getByRole('button', { name: 'Действия с записью' }).click();
    await page.getByRole('menuitem', { name: 'Сохранить' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Сохранено' })).toBeVisible();
    await expect(page.getByRole('menu')).toHaveCount(0);
  }
  for (const root of roots) {
    await ownWall.seed.replies(root, [{ by: person.id, text: 'И мне это интересно' }]);
    const isRead = page.waitForResponse(
      (response) => response.url().endsWith('/users/current/reading') && response.request().method() === 'PUT',
    );
    await openPage(page, `${ownWall.url}/posts/${root}`);
    await isRead;
  }
  const by = await ownWall.seed.person('galina_mikhaylovna');
  await ownWall.seed.name(by, 'Галина Михайловна');
  for (const root of roots.slice(0, 2))
    await ownWall.seed.replies(root, [
      { by, text: 'А я нашла!' },
      { by, text: 'Вот' },
    ]);
  await ownWall.seed.posts([{ by: person.id, text: 'Отдам саженцы смородины, самовывоз' }]);
  for (const path of ['/', '/following', '/own/saved', `/users/${person.name}`, '/own/replies']) {
    await openPage(page, ownWall.url + path);
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
    await takePictures(page, `own${path.replace(person.name, 'me').replaceAll('/', '-')}`);
  }
});

test('the names before the first post', async ({ page, ownWall }) => {
  const name = 'user_a1b2c3d4';
  const id = await ownWall.seed.person(name, 'anya.petrova@example.org');
  await restoreSession(page, ownWall, { id, name });
  await newPostButton(page).click();
  await textField(page).fill('Всем привет!');
  await choice(page, 'Опубликовать').click();
  await expect(page.getByText('Имя пользователя свободно')).toBeVisible();
  await takePictures(page, 'name-step');
  await page.getByRole('textbox', { name: 'Имя пользователя' }).fill('аня');
  await expect(page.getByRole('dialog').getByText(/латинскими/)).toBeVisible();
  await takePictures(page, 'name-step-latin');
});
