import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import { hasFocus, signInAs, signInDialog } from '../../../../test/kit/screen/account.ts';
import type { Screen } from '../../../../test/kit/screen/open-screen.ts';
import {
  callsOf,
  card,
  choice,
  decide,
  formClosed,
  openComposer,
  textField,
  write,
} from '../../../../test/kit/screen/posts.ts';
import { textOf } from '../../../../test/kit/screen/queries.ts';
import { openOwnPage } from '../../../../test/kit/screen/seeded.ts';

const shared = 'Мост закрыт до мая https://news.example/most';
const path = addresses.newPost.href({}, { text: shared });
const posts = /^POST .*\/posts$/;

const composerHas = async (screen: Screen, text: string): Promise<void> => {
  await screen.findByRole('dialog', { name: 'Новая запись' });
  await screen.until(async () => assert.equal((await textField(screen)).value, text));
};

test('what another app shares is in the composer, below what was written before, and nothing is published', async () => {
  const page = await openOwnPage('/');
  await openComposer(page.screen);
  await write(page.screen, 'Начатое');
  page.screen.press('Escape');
  await formClosed(page.screen);

  const opened = await page.screen.reload(path);
  await composerHas(opened, `Начатое\n\n${shared}`);
  await hasFocus(opened, await textField(opened));
  assert.equal(opened.path(), '/');
  assert.deepEqual(callsOf(opened, posts), []);
  // Neither a reload nor sharing it again adds it once more.
  const reloaded = await opened.reload();
  await reloaded.clock.advance(500);
  assert.ok(reloaded.queryByRole('dialog') === null);
  await using screen = await reloaded.reload(path);
  await composerHas(screen, `Начатое\n\n${shared}`);
  assert.deepEqual(callsOf(screen, posts), []);
  await decide(screen, 'Опубликовать');
  await screen.until(() => card(screen, 'Мост закрыт'));
  assert.equal(callsOf(screen, posts).length, 1);
  await page.wall.close();
});

test('a visitor signs in before sharing, and also one who has closed the dialog finds the text later', async () => {
  await using page = await openOwnPage(addresses.newPost.href({}, { title: 'Афиша', text: 'Кино во дворе' }), {
    asVisitor: true,
  });
  await page.screen.until(() => signInDialog(page.screen));
  page.screen.press('Escape');
  await formClosed(page.screen);
  const feed = await page.screen.reload('/');
  await openComposer(feed);
  await using screen = await signInAs(feed, page.wall, page.person.email);
  await composerHas(screen, 'Афиша\nКино во дворе');
});

test('a shared text that is too long says so and stays', async () => {
  const long = 'ж'.repeat(3 * limits.postLength);
  await using page = await openOwnPage(addresses.newPost.href({}, { text: long }));
  const { screen } = page;
  await composerHas(screen, long);
  assert.match(textOf(screen.dialog().getAllByRole('alert')[0]!), /Текст длиннее 500 символов/);
  assert.ok((await choice(screen, 'Опубликовать')).disabled);
});
