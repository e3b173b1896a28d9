import { newPerson } from '../kit/seed.ts';
import { expectAccessible } from './support/accessible.ts';
import { restoreSession } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

test('waiting newcomers, the shield and a closed discussion are accessible', async ({ page, ownWall }) => {
  const { seed } = ownWall;
  const [me, author, newcomer] = [await newPerson(ownWall), await newPerson(ownWall), await newPerson(ownWall)];
  await seed.appoint(me);
  const [root] = await seed.posts([
    { by: author.id, text: 'Кто знает хорошую пекарню?' },
    { by: newcomer.id, text: 'Всем привет! Ищу, с кем кататься по утрам' },
  ]);
  await seed.replies(root!, [{ by: me.id, text: 'На углу' }]);
  await seed.report(root!, newcomer.id);
  await restoreSession(page, ownWall, me, '/discussed');
  await expect(page.getByRole('heading', { name: 'Ждут ответа' }).filter({ visible: true })).toHaveCount(1);
  await expect(page.getByRole('link', { name: /записей с жалобами: 1/ }).filter({ visible: true })).toHaveCount(1);
  await expectAccessible(page);

  await page.goto(`${ownWall.url}/posts/${root}`);
  await page.getByRole('button', { name: 'Действия с записью' }).first().click();
  await page.getByRole('menuitem', { name: 'Закрыть обсуждение…' }).click();
  await expect(page.getByRole('dialog')).toContainText('Новых ответов не будет');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Вопрос решён' }).click();
  await page.getByRole('button', { name: 'Ответить' }).first().click();
  await expect(page.getByRole('article', { name: 'Ответ' })).toContainText('Обсуждение закрыто');
  await expectAccessible(page);
});
