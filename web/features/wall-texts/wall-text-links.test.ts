import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSignIn, press } from '../../../test/kit/screen/account.ts';
import { choose } from '../../../test/kit/screen/posts.ts';
import { openOwnPage } from '../../../test/kit/screen/seeded.ts';
import { openScreen, type Screen } from '../../../test/kit/screen/open-screen.ts';
import { type Queries, queriesIn, textOf } from '../../../test/kit/screen/queries.ts';
import { readPage } from '../../../test/kit/screen/read-page.ts';

const names = { about: 'О стене', rules: 'Правила', privacy: 'Конфиденциальность' };

/** The three links in a part of the page. */
function assertLinks(place: Queries, target: string | null = null): void {
  for (const [path, name] of Object.entries(names)) {
    const link = place.getByRole('link', { name });
    assert.deepEqual([link.getAttribute('href'), link.getAttribute('target')], [`/${path}`, target]);
  }
}

const hasHeading = (screen: Screen, name: string) => screen.findByRole('heading', { level: 1, name });

const rail = (screen: Screen) => queriesIn(screen.getByRole('navigation', { name: 'Разделы' }));

test('the rail leads to the operator’s texts, and these to each other', async () => {
  await using page = await openOwnPage('/', { asVisitor: true });
  const { wall, screen } = page;
  assertLinks(rail(screen));
  await screen.click(rail(screen).getByRole('link', { name: 'Правила' }));
  await hasHeading(screen, 'Правила');
  await screen.click(screen.main().getByRole('link', { name: 'Конфиденциальность' }));
  await hasHeading(screen, 'Конфиденциальность');
  assert.deepEqual([screen.path(), screen.loads], ['/privacy', []]);
  for (const [path, name] of Object.entries(names)) {
    const unscripted = await readPage(wall, `/${path}`);
    unscripted.getByRole('heading', { level: 1, name });
    assertLinks(queriesIn(unscripted.getByRole('main')));
  }
});

test('the dialogs and the settings lead to the operator’s texts', async () => {
  await using page = await openOwnPage('/', {
    asVisitor: true,
    prepare: async ({ seed }) => seed.posts([{ by: await seed.person('galina_m'), text: 'Первая' }]),
  });
  const { wall, screen, person } = page;
  await openSignIn(screen);
  assertLinks(screen.dialog(), '_blank');
  await using own = await openScreen(wall, '/settings', { as: person.id });
  await own.main().findByRole('link', { name: 'Правила' });
  assertLinks(own.main());
  await using feed = await own.reload('/');
  await choose(feed, 'Первая', 'Пожаловаться');
  await feed.findAllByRole('radio');
  assertLinks(feed.dialog(), '_blank');
});

test('a text of the operator that fails to load says so and can be loaded again', async () => {
  await using page = await openOwnPage('/', { asVisitor: true });
  const { screen } = page;
  const repair = screen.network.intercept(/\/documents\/rules$/, () => Response.json({}, { status: 500 }));
  await screen.click(rail(screen).getByRole('link', { name: 'Правила' }));
  await screen.until(() => assert.match(textOf(screen.getByRole('main')), /Что-то пошло не так/));
  repair();
  await press(screen, 'Повторить');
  await hasHeading(screen, 'Правила');
});
