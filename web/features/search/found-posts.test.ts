import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loud } from '../../../test/kit/muting.ts';
import { signInAs } from '../../../test/kit/screen/account.ts';
import { card, cardOf, cards, choose, decide, hasTexts, toast, write } from '../../../test/kit/screen/posts.ts';
import { openSeeded } from '../../../test/kit/screen/seeded.ts';
import { openScreen, type Screen } from '../../../test/kit/screen/open-screen.ts';
import { textOf } from '../../../test/kit/screen/queries.ts';
import { matches, search, searchField, searchPath, seedBakeries } from '../../../test/kit/screen/search.ts';

const path = searchPath('пекарня');
const heart = (screen: Screen) => cardOf(screen, 'Пекарня 1').getByRole('button', { name: /^Нравится/ });
const isLiked = (screen: Screen) =>
  screen.until(() => assert.equal(heart(screen).getAttribute('aria-pressed'), 'true'));

test('posts in the results can be liked, edited and deleted', async () => {
  await using wall = await openSeeded();
  await seedBakeries(wall, 1);
  await wall.seed.posts([{ by: wall.me, text: 'Моя пекарня' }]);
  const first = await openScreen(wall, path, { as: wall.me });
  await first.click(heart(first));
  await isLiked(first);
  await using screen = await first.reload();
  await isLiked(screen);

  await choose(screen, 'Моя', /^Изменить/);
  await write(screen, 'Моя старая пекарня');
  await decide(screen, 'Сохранить');
  await toast(screen, 'Изменено');
  await hasTexts(screen, ['Моя старая пекарня', 'Пекарня 1']);
  // The places of the matches are not known in the new text.
  assert.deepEqual(matches(screen), ['Пекарня']);

  await choose(screen, 'Моя', 'Удалить');
  await decide(screen, 'Удалить');
  await hasTexts(screen, ['Пекарня 1']);
  assert.equal(cards(screen)[0]!.getAttribute('aria-setsize'), '1');
});

test('edits and deletions by others appear in the results', async () => {
  await using wall = await openSeeded();
  const by = await seedBakeries(wall, 1);
  const [edited, gone] = await wall.seed.posts(['Наша пекарня', 'Их пекарня'].map((text) => ({ by, text })));
  const first = await openScreen(wall, path);
  await hasTexts(first, ['Их пекарня', 'Наша пекарня', 'Пекарня 1']);
  await wall.seed.edit(edited!, 'Опечатка, простите');
  await first.until(() => assert.match(textOf(card(first, 'Опечатка, простите')), /изменено/));
  assert.ok(card(first, 'Опечатка, простите').querySelector('mark') === null);
  await wall.seed.remove(gone!);
  await hasTexts(first, ['Опечатка, простите', 'Пекарня 1']);
  await using screen = await first.reload();
  await hasTexts(screen, ['Пекарня 1']);
});

test('posts of a muted author are folded in the results', async () => {
  await using wall = await openSeeded();
  await seedBakeries(wall, 1);
  await wall.seed.posts([{ by: await wall.seed.person(loud), text: 'Опять я: лучшая пекарня' }]);
  const first = await openScreen(wall, path, { as: wall.me });
  assert.equal(matches(first).length, 2);
  await choose(first, loud, 'Не показывать автора');
  await first.until(() => cardOf(first, loud).getByRole('button', { name: 'Показать' }));
  assert.doesNotMatch(textOf(first.getByRole('main')), /Опять я/);
  await toast(first, 'Автор не показывается');
  await using screen = await first.reload();
  await screen.click(await screen.until(() => cardOf(screen, loud).getByRole('button', { name: 'Показать' })));
  await screen.until(() => assert.deepEqual([...card(screen, loud).querySelectorAll('mark')].map(textOf), ['пекарня']));
});

test('when too many visitors search, a page says so to them and shows the results to members', async () => {
  await using wall = await openSeeded({ RATE_LIMITS: 'on' });
  await seedBakeries(wall, 1);
  const useUp = async () => {
    for (let left = 200; left > 0; left -= 1) {
      const got = await wall.get(searchPath(`погода ${left}`));
      if (got.status === 429) return got;
    }
    throw new Error('Never refused');
  };
  assert.ok(Number((await useUp()).headers['retry-after']) >= 1);
  await using visitor = await openScreen(wall, path);
  await visitor.findByRole('heading', { name: 'Слишком много запросов' });
  assert.match(textOf(visitor.getByRole('main')), /Подождите немного или войдите/);
  assert.equal(searchField(visitor).value, 'пекарня');
  assert.equal(visitor.getAllByRole('button', { name: 'Войти' }).length, 1);
  await using member = await openScreen(wall, path, { as: wall.me });
  await hasTexts(member, ['Пекарня 1']);
  assert.equal(searchField(member).value, 'пекарня');
});

test('visitors who may not search are asked to sign in, and then find what they searched for', async () => {
  await using wall = await openSeeded({ SEARCH: 'members' });
  await seedBakeries(wall, 1);
  const isAsked = async (screen: Screen) => {
    await screen.findByRole('heading', { name: 'Поиск — для тех, кто вошёл' });
    assert.equal(textOf(screen.getByRole('heading', { level: 1 })), 'Поиск');
    assert.equal(screen.getAllByRole('button', { name: 'Войти' }).length, 1);
    assert.equal(cards(screen).length, 0);
  };
  const visitor = await openScreen(wall, path);
  await isAsked(visitor);
  assert.equal(searchField(visitor).value, 'пекарня');
  search(visitor, 'другом');
  await visitor.until(() => assert.equal(visitor.path(), searchPath('другом')));
  await isAsked(visitor);
  await visitor.click(visitor.getByRole('button', { name: 'Войти' }));
  const member = await signInAs(visitor, wall, wall.anna.email);
  await hasTexts(member, ['О другом']);
  assert.equal(member.path(), searchPath('другом'));
  await using screen = await member.reload(path);
  await hasTexts(screen, ['Пекарня 1']);
  assert.deepEqual(matches(screen), ['Пекарня']);
  assert.ok(screen.queryByRole('button', { name: 'Войти' }) === null);
});
