import { expectAccessible } from '../support/accessible.ts';
import { hydrated } from '../support/app.ts';
import { deskPaths, openDeskAs } from '../support/desk.ts';
import { takePictures } from '../support/gallery.ts';
import { newPerson, restoreSession } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import type { Wall } from '../support/wall.ts';

/** Acts as a moderator. */
async function moderate({ seed, url }: Wall, method: string, path: string, body: object): Promise<void> {
  const person = await newPerson({ seed });
  await seed.appoint(person, 'owner');
  const { token } = await seed.session(person.id);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  expect(response.status, await response.text()).toBe(200);
}

test('posts of newcomers that wait', async ({ page, ownWall }) => {
  const [anna, boris] = [await newPerson(ownWall), await newPerson(ownWall)];
  await ownWall.seed.hold(anna.id, 'Здравствуйте! Переехали на Садовую, ищем, где учат плавать с четырёх лет');
  await ownWall.seed.hold(boris.id, 'Купите часы: https://example.org/watches');
  await openDeskAs(page, ownWall, `${deskPaths.queue}/waiting`);
  await expect(page.getByRole('button', { name: 'Пропустить' }).first()).toBeVisible();
  await takePictures(page, 'desk-waiting');
  await page.context().clearCookies();
  await restoreSession(page, ownWall, anna, '/own/posts');
  await expect(page.getByText('Ждёт проверки')).toBeVisible();
  await takePictures(page, 'post-waiting');
});

test('a discussion in slow mode and a closed one', async ({ page, ownWall }) => {
  const [person, by] = [await newPerson(ownWall), await ownWall.seed.person('boris_petrov')];
  const [slow, closed] = await ownWall.seed.posts([
    { by, text: 'Собаки на площадке: давайте решим', age: 600 },
    { by, text: 'Кто забрал лестницу из подъезда?' },
  ]);
  for (const id of [slow!, closed!]) await ownWall.seed.replies(id, [{ by, text: 'Отвечаю сам' }]);
  await moderate(ownWall, 'PUT', `/moderation/posts/${slow}/pace`, { seconds: 300 });
  await moderate(ownWall, 'PUT', `/moderation/posts/${closed}/lock`, { reason: 'Вопрос решён' });
  await restoreSession(page, ownWall, person, `/posts/${slow}`);
  await expect(page.getByText(/Медленный режим/)).toBeVisible();
  await takePictures(page, 'discussion-slow');
  await page.goto(`${ownWall.url}/posts/${closed}`);
  await hydrated(page);
  await expect(page.getByText(/Обсуждение закрыто/)).toBeVisible();
  await takePictures(page, 'discussion-closed');
});

test('a warning, links to invite by, and the settings of an owner about them', async ({ page, ownWall }) => {
  const person = await newPerson(ownWall);
  await ownWall.admin('registration', 'members', '--reason', 'растём по знакомству');
  await restoreSession(page, ownWall, person, '/settings/invitations');
  await expect(page.getByText(/^Приглашают те, кто/)).toBeVisible();
  await expectAccessible(page);
  await ownWall.seed.appoint(person, 'owner');
  await page.reload();
  for (const count of [1, 2]) {
    await page.getByRole('button', { name: 'Сделать ссылку' }).click();
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(count);
  }
  await expect(page.getByRole('button', { name: 'Отозвать' })).toHaveCount(2);
  await takePictures(page, 'settings-invitations');
  await expectAccessible(page);
  await page.goto(`${ownWall.url}/keep`);
  await expect(page.getByRole('textbox', { name: 'Сколько ссылок он делает за 30 дней' })).toHaveValue('3');
  await expectAccessible(page);
  await moderate(ownWall, 'POST', `/moderation/people/${person.name}/warning`, { reason: 'Оскорбления и травля' });
  await page.goto(ownWall.url);
  await expect(page.getByRole('dialog')).toContainText('Оскорбления и травля');
  await takePictures(page, 'warning');
});

test('a closed wall', async ({ page, ownWall, pageErrors }) => {
  pageErrors.tolerate(/401/);
  const settings = { name: 'Стена', line: '', contact: 'dvor@example.org', registration: 'members' };
  await moderate(ownWall, 'PUT', '/keep/settings', { ...settings, readers: 'members' });
  await page.goto(ownWall.url);
  await hydrated(page);
  await takePictures(page, 'closed-wall');
});
