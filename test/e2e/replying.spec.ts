import { openPage } from './support/app.ts';
import { articles, cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import { choice, signInNewPerson, dropNextResponse, textField, toast } from './support/writing.ts';

const replies = /\/api\/v1\/posts\/\d+\/replies$/;

test('a reply quotes its post, increases the count and is at the top of the thread', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  const [id] = await ownWall.seed.posts([{ by, text: 'Кто идёт в кино?' }]);
  await ownWall.seed.replies(id!, [{ by, text: 'Я' }]);
  await signInNewPerson(page, ownWall);
  await cardOf(page, 'Кто идёт').getByRole('button', { name: 'Ответить' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ответ' });
  await expect(dialog.locator('blockquote')).toContainText('Кто идёт в кино?');
  await expect(dialog.locator('blockquote')).toContainText('galina_m');
  await textField(page).fill('И я!');
  await choice(page, 'Опубликовать').click();
  await expect(toast(page, 'Опубликовано')).toBeVisible();
  await expect(cardOf(page, 'Кто идёт').getByRole('button', { name: 'Ответить' })).toContainText('2');
  await expect(articles(page)).toHaveCount(1);

  await cardOf(page, 'Кто идёт').locator('time').click();
  await expect(articles(page)).toContainText(['И я!', 'Я']);
  await cardOf(page, 'Кто идёт').first().getByRole('button', { name: 'Ответить' }).click();
  await textField(page).fill('Во сколько?');
  await choice(page, 'Опубликовать').click();
  await expect(articles(page)).toContainText(['Во сколько?', 'И я!', 'Я']);
});

test('a reply to a reply is listed under that reply', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  const [id] = await ownWall.seed.posts([{ by, text: 'Корень' }]);
  await ownWall.seed.replies(id!, [{ by, text: 'Ветка' }]);
  await signInNewPerson(page, ownWall, `/posts/${id}`);
  await cardOf(page, 'Ветка').getByRole('button', { name: 'Ответить' }).click();
  await textField(page).fill('Лист');
  await choice(page, 'Опубликовать').click();
  await cardOf(page, 'Лист').locator('a[data-permalink]').click();
  const leaf = page.getByRole('article').first();
  await expect(leaf).toContainText('Лист');
  const chain = page.getByRole('group', { name: 'Начало обсуждения' });
  await expect(chain.getByRole('link')).toHaveText([/Корень$/, /Ветка$/]);
});

test('a reply to a deleted post is refused with a message, and the text stays', async ({
  page,
  ownWall,
  pageErrors,
}) => {
  pageErrors.expect(/404/);
  const by = await ownWall.seed.person('galina_m');
  const [id] = await ownWall.seed.posts([{ by, text: 'Скоро удалю' }]);
  await signInNewPerson(page, ownWall);
  await cardOf(page, 'Скоро удалю').getByRole('button', { name: 'Ответить' }).click();
  await textField(page).fill('Подожди');
  await ownWall.seed.remove(id!);
  await choice(page, 'Опубликовать').click();
  await expect(page.getByRole('dialog')).toContainText('Ответить нельзя: этой записи больше нет. Ваш текст сохранён.');
  await expect(textField(page)).toHaveValue('Подожди');
});

test('a lost response: sending again creates one reply', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  const by = await ownWall.seed.person('galina_m');
  const [id] = await ownWall.seed.posts([{ by, text: 'Вопрос' }]);
  await signInNewPerson(page, ownWall);
  await dropNextResponse(page, 'POST', replies);
  await cardOf(page, 'Вопрос').getByRole('button', { name: 'Ответить' }).click();
  await textField(page).fill('Ответ');
  await choice(page, 'Опубликовать').click();
  await expect(page.getByRole('dialog')).toContainText('Нет соединения');
  await choice(page, 'Опубликовать').click();
  await expect(toast(page, 'Опубликовано')).toBeVisible();
  await page.goto(`${ownWall.url}/posts/${id}`);
  await expect(articles(page)).toHaveCount(1);
});

test('the first reply by another person appears immediately', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  const [id] = await ownWall.seed.posts([{ by, text: 'Кто идёт в кино?' }]);
  const html = await page.request.get(`${ownWall.url}/posts/${id}`);
  expect(await html.text()).toContain('Ответов пока нет');
  await page.goto(`${ownWall.url}/posts/${id}`);
  await expect(page.getByRole('heading', { name: 'Ответов пока нет' })).toBeVisible();
  await ownWall.seed.replies(id!, [{ by, text: 'Я' }]);
  await expect(articles(page)).toHaveCount(1);
  await expect(articles(page)).toContainText('Я');
  await expect(page.getByText('Ответов пока нет')).toHaveCount(0);
  await ownWall.seed.replies(id!, [{ by, text: 'И я' }]);
  await expect(page.getByRole('button', { name: 'Новые ответы: 1' })).toBeVisible();
});

test('a post without replies shows no skeletons and offers to reply', async ({ page, ownWall }) => {
  const { id: by } = await signInNewPerson(page, ownWall);
  await ownWall.seed.posts([{ by, text: 'Кто идёт в кино?' }]);
  await openPage(page, ownWall.url);
  const release = Promise.withResolvers<void>();
  await page.route('**/api/v1/posts/*/thread*', (route) => release.promise.then(() => route.continue()));
  await cardOf(page, 'Кто идёт в кино?').locator('time').click();
  const first = page.getByRole('button', { name: /^Ответить\sпервым$/ });
  await expect(page.locator('main [aria-busy=true]').filter({ has: first })).toBeVisible();
  release.resolve();
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  await first.click();
  await textField(page).fill('Я');
  await choice(page, 'Опубликовать').click();
  await expect(articles(page)).toContainText('Я');
  await expect(articles(page)).toBeFocused();
  await expect(first).toHaveCount(0);
});
