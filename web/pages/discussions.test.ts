import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen, type Screen } from '../../test/kit/screen/open-screen.ts';
import { card, cardOf, decide, hasTexts, openPost, write } from '../../test/kit/screen/posts.ts';
import { queriesIn, textOf } from '../../test/kit/screen/queries.ts';
import { openSeeded } from '../../test/kit/screen/seeded.ts';
import { showsPath, titleOf } from '../../test/kit/screen/views.ts';

const tab = (screen: Screen, name: string): HTMLElement =>
  queriesIn(screen.getByRole('navigation', { name: 'Порядок ленты' })).getByRole('link', { name });

/** A wall on which two people have replied to the first of two posts. */
async function openTalk() {
  const wall = await openSeeded();
  const [boris, vera] = [await wall.seed.person('boris_p'), await wall.seed.person('vera_k')];
  const [first, second] = await wall.seed.posts(['Старая', 'Новая'].map((text) => ({ by: boris, text })));
  for (const by of [vera, boris, vera]) await wall.seed.replies(first!, [{ by, text: 'Ответ в разговоре' }]);
  return { ...wall, boris, vera, first: first!, second: second! };
}

test('the tabs lead from the newest posts to discussions, which say how they go on', async () => {
  await using wall = await openTalk();
  await using screen = await openScreen(wall, '/');
  assert.match(textOf(card(screen, 'Старая')), /vera_k.*Ответ в разговоре/);
  assert.doesNotMatch(textOf(card(screen, 'Новая')), /Ответ в разговоре/);
  await screen.click(tab(screen, 'Обсуждаемые'));
  await hasTexts(screen, ['Старая']);
  await showsPath(screen, '/discussed');
  assert.equal(titleOf(screen), 'Стена');
  assert.equal(tab(screen, 'Обсуждаемые').getAttribute('aria-current'), 'page');

  for (const by of [wall.boris, wall.vera]) await wall.seed.replies(wall.second, [{ by, text: 'Подняли' }]);
  await screen.click(await screen.findByRole('button', { name: 'Показать новые: 1' }));
  await hasTexts(screen, ['Новая', 'Старая']);
});

test('the line of the last reply is the own reply at once, and gone after a day', async () => {
  await using wall = await openTalk();
  await wall.seed.replies(wall.second, [
    { by: wall.boris, text: 'Раз', age: 86_390 },
    { by: wall.vera, text: 'Два', age: 86_390 },
    { by: wall.boris, text: 'Почти сутки назад', age: 86_390 },
  ]);
  await using again = await openScreen(wall, '/', { as: wall.me });
  assert.match(textOf(card(again, 'Новая')), /Почти сутки назад/);
  await again.clock.advance(20_000);
  await again.until(() => assert.doesNotMatch(textOf(card(again, 'Новая')), /Почти сутки назад/));
  assert.match(textOf(card(again, 'Старая')), /vera_k.*Ответ в разговоре/);

  await again.click(cardOf(again, 'Старая').getByRole('button', { name: /^Ответить/ }));
  await write(again, 'Мой ответ');
  await decide(again, 'Опубликовать');
  await again.until(() => assert.match(textOf(card(again, 'Старая')), /anna_k.*Мой ответ/));
});

test('a wall without discussions says so', async () => {
  await using wall = await openSeeded();
  await using screen = await openScreen(wall, '/discussed');
  await screen.findByRole('heading', { name: 'Обсуждений пока нет' });
});

test('followed discussions show what came since they were read', async () => {
  await using wall = await openTalk();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await screen.click(tab(screen, 'Слежу'));
  await screen.findByRole('heading', { name: 'Вы ни за чем не следите' });
  await wall.seed.replies(wall.first, [{ by: wall.me, text: 'Я тоже' }]);
  await using again = await openScreen(wall, '/following', { as: wall.me });
  await hasTexts(again, ['Старая']);
  assert.match(textOf(card(again, 'Старая')), /\+4 новых/);
  await openPost(again, 'Старая');
});

test('visitors sign in to see what they follow', async () => {
  await using wall = await openSeeded();
  await using screen = await openScreen(wall, '/');
  await screen.click(tab(screen, 'Слежу'));
  await screen.findByRole('dialog');
});
