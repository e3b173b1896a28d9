import { dialogLeft } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import { chooseView, expectTexts } from './support/views.ts';
import { signInNewPerson } from './support/writing.ts';

test('a removed like leaves the list on reload and can be given again until then', async ({ page, ownWall }) => {
  const { seed } = ownWall;
  const me = await signInNewPerson(page, ownWall);
  const ids = await seed.posts(['Первая', 'Вторая'].map((text) => ({ by: me.id, text })));
  for (const id of ids) await seed.like(id, me.id);
  await chooseView(page, 'Понравившиеся');
  await expectTexts(page, ['Вторая', 'Первая']);
  const like = cardOf(page, 'Первая').getByRole('button', { name: 'Нравится' });
  for (const pressed of ['false', 'true', 'false']) {
    await like.click();
    await expect(like).toHaveAttribute('aria-pressed', pressed);
  }
  await expectTexts(page, ['Вторая', 'Первая']);
  await expect
    .poll(async () => (await page.request.get(`${ownWall.url}/api/v1/posts/${ids[0]}`)).json())
    .toMatchObject({ actions: { likes_count: 0 } });
  await page.getByRole('link', { name: 'Лента' }).click();
  await expect(page).toHaveTitle('Стена');
  await chooseView(page, 'Понравившиеся');
  await expectTexts(page, ['Вторая']);
});

test('a deleted post leaves the person’s own list at once, and their count of posts decreases', async ({
  page,
  ownWall,
}) => {
  const me = await signInNewPerson(page, ownWall);
  await ownWall.seed.posts(['Первая', 'Вторая'].map((text) => ({ by: me.id, text })));
  for (const open of [() => chooseView(page, 'Мои записи'), () => page.goto(`${ownWall.url}/users/${me.name}`)]) {
    await open();
    const cards = page.getByRole('article');
    const before = await cards
      .first()
      .waitFor()
      .then(() => cards.count());
    await cards.first().getByRole('button', { name: 'Действия с записью' }).click();
    await page.getByRole('menuitem', { name: 'Удалить' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click();
    await expect(cards).toHaveCount(before - 1);
    await dialogLeft(page);
  }
  await expect(page.getByText('0 записей · на стене с')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
});
