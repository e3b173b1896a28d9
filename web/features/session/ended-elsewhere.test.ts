import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askForCode, button, shownName, signedInPage } from '../../../test/kit/screen/account.ts';
import {
  callsOf,
  cardOf,
  decide,
  dialogShows,
  hasTexts,
  textField,
  toast,
  write,
} from '../../../test/kit/screen/posts.ts';
import { openOwnPage } from '../../../test/kit/screen/seeded.ts';
import type { Screen } from '../../../test/kit/screen/open-screen.ts';
import { textOf } from '../../../test/kit/screen/queries.ts';
import { chooseView } from '../../../test/kit/screen/views.ts';
import { openBrowser } from '../../../test/kit/sign-in.ts';

const text = 'Кто идёт в субботу на каток?';

/** A page of the wall, and a function that ends its session on another device. */
async function openTwice(path = '/') {
  const page = await openOwnPage(path, {
    settings: { CODE_RESEND_SECONDS: '0' },
    prepare: async ({ seed }) => seed.posts([{ by: await seed.person('boris_petrov'), text }]),
  });
  const { wall, screen, person } = page;
  // Any later call of the page would find the session ended.
  await screen.until(() =>
    assert.ok(callsOf(screen, /\/mutes$/).length === 1 && screen.network.withoutResponse() === 0),
  );
  return {
    ...page,
    async endElsewhere() {
      const { token } = await wall.seed.session(person.id);
      const ended = await Object.assign(openBrowser(wall), { token }).send('DELETE', '/sessions');
      assert.equal(ended.statusCode, 204);
    },
  };
}

async function expectVisitor(screen: Screen, path = '/'): Promise<void> {
  await button(screen.banner(), 'Войти');
  assert.equal(shownName(screen), undefined);
  await screen.until(() => assert.equal(screen.path(), path));
}

test('the next like finds the session ended elsewhere and is reverted', async () => {
  await using page = await openTwice();
  const { screen } = page;
  await page.endElsewhere();
  const like = cardOf(screen, text).getByRole('button', { name: 'Нравится' });
  await screen.click(like);
  await expectVisitor(screen);
  await screen.until(() => assert.equal(like.getAttribute('aria-pressed'), 'false'));
  assert.equal(callsOf(screen, /^POST .*\/likes$/).length, 1);
});

test('the next reply after a session has ended elsewhere asks to sign in and preserves the text', async () => {
  await using page = await openTwice();
  const { wall, screen: first, person } = page;
  await first.click(cardOf(first, text).getByRole('button', { name: 'Ответить' }));
  await write(first, 'Я иду, встречаемся у входа');
  await page.endElsewhere();
  await decide(first, 'Опубликовать');
  await askForCode(first, person.email);
  await using screen = await signedInPage(wall, first, person.email);
  await dialogShows(screen, 'Ответ');
  await screen.until(async () => assert.equal((await textField(screen)).value, 'Я иду, встречаемся у входа'));
  await decide(screen, 'Опубликовать');
  await toast(screen, 'Опубликовано');
});

test('following a link after the session has ended elsewhere shows the page as to a visitor', async () => {
  await using page = await openTwice();
  const { screen } = page;
  await page.endElsewhere();
  await screen.click(screen.main().getByRole('link', { name: 'boris_petrov' }));
  await screen.until(() => assert.equal(screen.window.document.title, 'boris_petrov - Стена'));
  assert.match(textOf(screen.getByRole('article')), /каток/);
  await expectVisitor(screen, '/users/boris_petrov');
});

test('a list selected after the session has ended elsewhere gives way to the feed', async () => {
  await using page = await openTwice();
  await page.endElsewhere();
  await chooseView(page.screen, 'Понравившиеся');
  await expectVisitor(page.screen);
  await hasTexts(page.screen, [text]);
  await using screen = await page.screen.reload('/liked');
  await screen.findByRole('heading', { name: 'Нужно войти' });
});

test('opening the settings after the session has ended elsewhere leads to the feed', async () => {
  await using page = await openTwice();
  const { screen, person } = page;
  await page.endElsewhere();
  await screen.click(screen.banner().getByRole('link', { name: person.name }));
  await expectVisitor(screen);
});

test('loading a page of the settings after the session has ended elsewhere leads to the feed', async () => {
  await using page = await openTwice('/settings');
  await page.endElsewhere();
  const started = Promise.withResolvers<void>();
  await using screen = await page.screen.reload('/settings/devices', ({ network }) =>
    network.intercept(/\/sessions\/current$/, async ({ forward }) => {
      await started.promise;
      return forward();
    }),
  );
  started.resolve();
  await expectVisitor(screen);
});
