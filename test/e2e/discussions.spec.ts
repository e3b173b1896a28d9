import { openPage, quiet } from './support/app.ts';
import { articles, cardOf } from './support/feed.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { dialog, newPerson, restoreSession } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { callsOf, choice, signInNewPerson, textField } from './support/writing.ts';

const long = 'Начну с того, что это дольше одной строки: здесь её начало, а остальное видно на странице обсуждения';

/** Discussions of two people, the first of which is lifted last. */
async function seedTalks({ seed }: Wall, count: number): Promise<number[]> {
  const [galina, boris] = [await seed.person('galina_m'), await seed.person('boris_p')];
  const roots = await seed.posts(
    Array.from({ length: count }, (_, i) => ({ by: galina, text: `Разговор ${i + 1}`, age: 80_000 - i * 60 })),
  );
  for (const root of roots.toReversed()) {
    const replies = [
      { by: boris, text: long },
      { by: galina, text: 'Продолжу' },
      { by: boris, text: 'И закончу' },
    ];
    await seed.replies(
      root,
      replies.map((reply) => ({ ...reply, age: 3_600 })),
    );
  }
  return roots;
}

test('the line of an active discussion leads to its last reply and moves nothing', async ({ page, ownWall }) => {
  const [root] = await seedTalks(ownWall, 3);
  await watchShift(page);
  await openPage(page, ownWall.url);
  const line = cardOf(page, 'Разговор 1').getByRole('link', { name: /И закончу/ });
  const before = await line.boundingBox();
  await ownWall.seed.replies(root!, [{ by: await ownWall.seed.person('vera_k'), text: 'Ещё слово' }]);
  await expect(cardOf(page, 'Разговор 1').getByRole('button', { name: 'Ответить' })).toContainText('4');
  await expect.poll(() => line.boundingBox()).toEqual(before);
  await expectNoShift(page);
  await line.click();
  await expect(page).toHaveURL(/\/posts\/\d+$/);
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  await expect(page.getByText('И закончу')).toBeVisible();
});

test('the tabs stay while a list is loading and when it fails', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/503/);
  await seedTalks(ownWall, 2);
  const tab = (name: string) => page.getByRole('navigation', { name: 'Порядок ленты' }).getByRole('link', { name });
  await openPage(page, ownWall.url);
  await tab('Слежу').click();
  await expect(dialog(page)).toBeVisible();
  await signInNewPerson(page, ownWall);
  for (const [name, call] of [
    ['Обсуждаемые', /\/posts\/discussed/],
    ['Слежу', /\/following/],
    ['Новые', /\/posts\?/],
  ] as const) {
    const held = Promise.withResolvers<void>();
    await page.route(call, async (route) => {
      await held.promise;
      await route.fulfill({ status: 503, json: {} });
    });
    await tab(name).click();
    await expect(page.getByRole('main').locator('[aria-busy=true]:not([role=feed])')).toHaveCount(1);
    await expect(tab(name)).toHaveAttribute('aria-current', 'page');
    held.resolve();
    await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
    await expect(tab(name)).toHaveAttribute('aria-current', 'page');
    await page.unroute(call);
  }
});

test('new discussions wait for a press', async ({ page, ownWall }) => {
  const { seed } = ownWall;
  await seedTalks(ownWall, 2);
  await openPage(page, `${ownWall.url}/discussed`);
  const [fresh] = await seed.posts([{ by: await seed.person('oleg_v'), text: 'Подняли' }]);
  for (const name of ['vera_k', 'anna_k', 'ivan_s'])
    await seed.replies(fresh!, [{ by: await seed.person(name), text: 'И я' }]);
  await page.getByRole('button', { name: 'Показать новые: 1' }).click();
  await expect(articles(page).first()).toContainText('Подняли');
});

test('the line of the last reply is the own reply at once, and gone after a day', async ({ page, ownWall }) => {
  await page.clock.install();
  await seedTalks(ownWall, 1);
  const [boris, vera] = [await ownWall.seed.person('boris_k'), await ownWall.seed.person('vera_k')];
  const [old] = await ownWall.seed.posts([{ by: boris, text: 'Вчерашняя' }]);
  const replies = [boris, vera, boris].map((by) => ({ by, text: 'Почти сутки назад', age: 80_000 }));
  await ownWall.seed.replies(old!, replies);
  await signInNewPerson(page, ownWall);
  await expect(cardOf(page, 'Вчерашняя')).toContainText('Почти сутки назад');
  // A response after the jump would set the clock of the page back.
  await quiet(page);
  await page.clock.fastForward(7_000_000);
  await expect(cardOf(page, 'Вчерашняя')).not.toContainText('Почти сутки назад');
  await expect(cardOf(page, 'Разговор 1')).toContainText('И закончу');
  await cardOf(page, 'Разговор 1').getByRole('button', { name: 'Ответить' }).click();
  await textField(page).fill('Мой ответ');
  await choice(page, 'Опубликовать').click();
  await expect(cardOf(page, 'Разговор 1')).toContainText('Мой ответ');
});

test('members see the first post of a newcomer in both places until it has a reply', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('newcomer_a');
  await ownWall.seed.name(by, 'Нина');
  await ownWall.seed.posts([{ by, text: 'Всем привет, я новенькая' }]);
  const waiting = page.getByRole('heading', { name: 'Ждут ответа', includeHidden: true });
  await openPage(page, `${ownWall.url}/discussed`);
  await expect(waiting).toHaveCount(0);
  const asked = callsOf(page, 'GET', /posts\/waiting/);
  await restoreSession(page, ownWall, await newPerson(ownWall), '/discussed');
  await expect(waiting).toHaveCount(2);
  expect(asked).toHaveLength(1);
  await page
    .getByRole('link', { name: /Нина Всем привет/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/posts\/\d+$/);
  await page.getByRole('main').getByRole('button', { name: 'Ответить' }).click();
  await textField(page).fill('Привет!');
  await choice(page, 'Опубликовать').click();
  await expect(cardOf(page, 'Привет!').first()).toBeVisible();
  await openPage(page, ownWall.url);
  await expect(cardOf(page, 'Всем привет')).toBeVisible();
  await expect(page.getByRole('link', { name: /newcomer_a\) Всем/ })).toHaveCount(0);
});
