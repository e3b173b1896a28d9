import { expectAccessible } from './support/accessible.ts';
import { expectSameDocument, hydrated, markDocument, openPage } from './support/app.ts';
import {
  articles,
  cardOf,
  expectScrollPosition,
  scrollPosition,
  scrollToPost,
  layoutIsStable,
} from './support/feed.ts';
import { takePictures } from './support/gallery.ts';
import { restoreSession } from './support/sign-in.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';

/** Discussions of two people, the first of which is lifted last. */
async function seedTalks({ seed }: Wall, count: number): Promise<number[]> {
  const [galina, boris] = [await seed.person('galina_m'), await seed.person('boris_p')];
  const roots = await seed.posts(
    Array.from({ length: count }, (_, i) => ({ by: galina, text: `Разговор ${i + 1}`, age: 80_000 - i * 60 })),
  );
  for (const root of roots.toReversed()) {
    const age = 3_600;
    await seed.replies(root, [
      {
        by: boris,
        text: 'Начну с того, что это дольше одной строки: здесь её начало, а остальное видно на странице обсуждения',
        age,
      },
      { by: galina, text: 'Продолжу', age },
      { by: boris, text: 'И закончу', age },
    ]);
  }
  return roots;
}

test('a list of discussions is read to its end, and Back returns to its place', async ({ page, ownWall }) => {
  await seedTalks(ownWall, 45);
  await openPage(page, `${ownWall.url}/discussed`);
  await markDocument(page);
  await scrollToPost(page, 40);
  await layoutIsStable(page);
  const before = await scrollPosition(page);
  await cardOf(page, 'Разговор 38').locator('time[title]').click();
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  await page.goBack();
  await expectScrollPosition(page, before);
  await expectSameDocument(page);
});

test('the line of an active discussion leads to its last reply and moves nothing when it changes', async ({
  page,
  ownWall,
}) => {
  const [root] = await seedTalks(ownWall, 3);
  await watchShift(page);
  await openPage(page, ownWall.url);
  const line = cardOf(page, 'Разговор 1').getByRole('link', { name: /И закончу/ });
  const before = await line.boundingBox();
  await ownWall.seed.replies(root!, [{ by: await ownWall.seed.person('vera_k'), text: 'Ещё слово' }]);
  await expect(cardOf(page, 'Разговор 1').getByRole('button', { name: 'Ответить' })).toContainText('4');
  expect(await line.boundingBox()).toEqual(before);
  await expectNoShift(page);
  await line.click();
  await expect(page).toHaveURL(/\/posts\/\d+$/);
  await expect(page.getByText('И закончу')).toBeVisible();
});

test('the lists of discussions have pictures and are accessible', async ({ page, ownWall }) => {
  const [root] = await seedTalks(ownWall, 6);
  const name = 'anna_k';
  const me = await ownWall.seed.person(name);
  await ownWall.seed.replies(root!, [{ by: me, text: 'Слежу' }]);
  await openPage(page, `${ownWall.url}/discussed`);
  await expect(articles(page)).toHaveCount(6);
  await takePictures(page, 'discussed');
  await expectAccessible(page);
  await restoreSession(page, ownWall, { id: me, name });
  await page.goto(`${ownWall.url}/following`);
  await hydrated(page);
  await expect(articles(page)).toHaveCount(1);
  await takePictures(page, 'following');
  await expectAccessible(page);
});
