import { hydrated } from './support/app.ts';
import { articles, cardOf } from './support/feed.ts';
import { collapsedPost, loud, loudText, opener } from './support/muting.ts';
import { matches, search, seedBakeries } from './support/search.ts';
import { expect, test } from './support/test.ts';
import { expectTexts } from './support/views.ts';
import { choice, choose, menuButton, signInNewPerson, textField, toast } from './support/writing.ts';

test('posts in the results can be liked, answered, edited and deleted', async ({ page, ownWall }) => {
  await seedBakeries(ownWall, 1);
  const me = await signInNewPerson(page, ownWall);
  await ownWall.seed.posts([{ by: me.id, text: 'Моя пекарня' }]);
  await search(page, ownWall, 'пекарня');
  const like = cardOf(page, 'Пекарня 1').getByRole('button', { name: 'Нравится' });
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await page.reload();
  await hydrated(page);
  await expect(like).toHaveAttribute('aria-pressed', 'true');

  await choose(page, 'Моя', /^Изменить/);
  await textField(page).fill('Моя старая пекарня');
  await choice(page, 'Сохранить').click();
  await expect(toast(page, 'Изменено')).toBeVisible();
  await expectTexts(page, ['Моя старая пекарня', 'Пекарня 1']);
  // The places of the matches are not known in the new text.
  await expect(matches(page)).toHaveText(['Пекарня']);

  await choose(page, 'Моя', 'Удалить');
  await choice(page, 'Удалить').click();
  await expectTexts(page, ['Пекарня 1']);
  await expect(articles(page)).toHaveAttribute('aria-setsize', '1');
});

test('edits and deletions by others appear in the results', async ({ page, ownWall }) => {
  const by = await seedBakeries(ownWall, 1);
  const [edited, gone] = await ownWall.seed.posts([
    { by, text: 'Наша пекарня' },
    { by, text: 'Их пекарня' },
  ]);
  await search(page, ownWall, 'пекарня');
  await expectTexts(page, ['Их пекарня', 'Наша пекарня', 'Пекарня 1']);
  await ownWall.seed.edit(edited!, 'Опечатка, простите');
  await expect(cardOf(page, 'Опечатка, простите')).toContainText('изменено');
  await expect(cardOf(page, 'Опечатка, простите').locator('mark')).toHaveCount(0);
  await ownWall.seed.remove(gone!);
  await expectTexts(page, ['Опечатка, простите', 'Пекарня 1']);
  await page.reload();
  await expectTexts(page, ['Пекарня 1']);
});

test('posts of a muted author are folded', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person(loud);
  await seedBakeries(ownWall, 1);
  await ownWall.seed.posts([{ by, text: 'Опять я, и снова о себе: лучшая пекарня' }]);
  await signInNewPerson(page, ownWall);
  await search(page, ownWall, 'пекарня');
  await expect(matches(page)).toHaveCount(2);
  await menuButton(page, loud).click();
  await page.getByRole('menuitem', { name: 'Скрыть автора' }).click();
  await expect(opener(page)).toBeVisible();
  await expect(loudText(page)).toHaveCount(0);
  await page.reload();
  await hydrated(page);
  await opener(page).click();
  await expect(collapsedPost(page).locator('mark')).toHaveText(['пекарня']);
});
