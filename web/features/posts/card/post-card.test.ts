import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen, type Screen } from '../../../../test/kit/screen/open-screen.ts';
import { card, cardOf, cards } from '../../../../test/kit/screen/posts.ts';
import { openSeeded } from '../../../../test/kit/screen/seeded.ts';
import { showsPath } from '../../../../test/kit/screen/views.ts';
import { queriesIn, textOf } from '../../../../test/kit/screen/queries.ts';

const hour = 3_600;
const day = 24 * hour;

/** A wall with posts whose age is their text. */
async function openAges(ages: Readonly<Record<string, number>>) {
  const wall = await openSeeded();
  const posts = Object.entries(ages).map(([text, age]) => ({ by: wall.me, text, age }));
  const ids = await wall.seed.posts(posts.toReversed());
  return { ...wall, ids: ids.toReversed() };
}

const time = (screen: Screen, text: string): Element => card(screen, text).querySelector('[data-permalink]')!;

test('shows its author and its age in whole units as links, and «изменено» if it was edited', async () => {
  const ages = { 'ч.': 65 * 60, 'дн.': 2 * day, 'нд.': 8 * day, 'м.': 65 * day, 'г.': 366 * day };
  await using wall = await openAges(ages);
  await wall.seed.mark(wall.ids[4]!, { modified_at: 1_700_000_000 });
  await using screen = await openScreen(wall, '/');
  const shown = Object.keys(ages).map((text) => textOf(time(screen, text)));
  assert.deepEqual(shown, ['1 ч.', '2 дн.', '1 нд.', '2 м.', '1 г. · изменено']);
  assert.equal(time(screen, 'ч.').getAttribute('href'), `/posts/${wall.ids[0]}`);
  const machine = time(screen, 'ч.').querySelector('time')!.getAttribute('datetime')!;
  assert.equal(Date.parse(machine), (wall.clock.now - ages['ч.']) * 1_000);
  const author = cardOf(screen, 'ч.').getByRole('link', { name: 'anna_k' });
  assert.equal(author.getAttribute('href'), '/users/anna_k');
  await screen.click(author);
  await showsPath(screen, '/users/anna_k');
});

test('turns URLs into links without the surrounding punctuation', async () => {
  await using wall = await openSeeded();
  const text = 'Карта: https://example.org/map?x=1&y=2, и ещё (https://example.com/путь).';
  await wall.seed.posts([{ by: wall.me, text }]);
  await using screen = await openScreen(wall, '/');
  const shown = card(screen, 'Карта').querySelector('[dir=auto]:not(bdi)')!;
  assert.equal(textOf(shown), text);
  const links = [...shown.querySelectorAll('a')];
  assert.deepEqual(links.map(textOf), ['https://example.org/map?x=1&y=2', 'https://example.com/путь']);
  assert.equal(links[0]!.getAttribute('href'), 'https://example.org/map?x=1&y=2');
  for (const link of links) assert.equal(link.rel, 'nofollow ugc noopener');
});

test('shows a pattern of bricks that belongs to its author’s name', async () => {
  await using wall = await openSeeded();
  const other = await wall.seed.person('galina_m');
  await wall.seed.posts([other, wall.me, wall.me].map((by, index) => ({ by, text: `${index}` })));
  await using screen = await openScreen(wall, '/');
  const [first, second, third] = cards(screen).map(
    (each) => each.querySelector('bdi')!.parentElement!.querySelector('svg')!.outerHTML,
  );
  assert.match(first!, /aria-hidden="true"/);
  assert.equal(first, second);
  assert.notEqual(first, third);
});

test('abbreviates counts and hides zero', async () => {
  await using wall = await openAges({ много: 1, мало: 2 });
  await wall.seed.mark(wall.ids[0]!, { likes_count: 1_299, thread_count: 1_000_000 });
  await using screen = await openScreen(wall, '/');
  const counts = (text: string) =>
    cardOf(screen, text)
      .getAllByRole('button', { name: /^(Нравится|Ответить)/ })
      .map(textOf);
  assert.deepEqual(counts('много'), ['Нравится1,2 тыс.', 'Ответить1 млн.']);
  assert.deepEqual(counts('мало'), ['Нравится', 'Ответить']);
});

test('opens on a click anywhere on it, and replies in its discussion do not repeat it', async () => {
  await using wall = await openAges({ Вопрос: 60 });
  await wall.seed.replies(wall.ids[0]!, [{ by: wall.me, text: 'Ответ' }]);
  await using screen = await openScreen(wall, '/');
  await screen.click(screen.main().getByText('Вопрос'));
  await showsPath(screen, `/posts/${wall.ids[0]}`);
  await screen.findByText('Ответ');
  assert.equal(screen.getAllByText('Вопрос').length, 1);
});

test('the page of a reply names the post it replies to and links to it, or says that it is deleted', async () => {
  await using wall = await openAges({ Вопрос: 60 });
  const galina = await wall.seed.person('galina_m');
  const [reply] = await wall.seed.replies(wall.ids[0]!, [{ by: galina, text: 'Ответ 1' }]);
  const [nested] = await wall.seed.replies(reply!, [{ by: wall.me, text: 'Ответ на ответ' }]);
  const before = (on: Screen) => on.getByRole('group', { name: 'Начало обсуждения' });
  const screen = await openScreen(wall, `/posts/${nested}`);
  const quote = queriesIn(before(screen)).getByRole('link', { name: /Ответ 1$/ });
  assert.match(textOf(quote), /galina_m/);
  await screen.click(quote);
  await showsPath(screen, `/posts/${reply}`);
  await screen.until(() => assert.match(textOf(screen.getAllByRole('article')[0]!), /Ответ 1/));
  await wall.remove(wall.ids[0]!);
  await using orphan = await screen.reload();
  assert.equal(textOf(before(orphan)), 'Запись удалена');
  orphan.getByText('Ответ 1');
});

test('a long text from elsewhere is folded in lists and whole on its own page', async () => {
  await using wall = await openSeeded();
  const text = 'длинная строка\n'.repeat(100).trim();
  const [id] = await wall.seed.posts([{ by: wall.me, text }]);
  await using screen = await openScreen(wall, '/');
  const shown = () => textOf(card(screen, 'длинная').querySelector('[dir=auto]:not(bdi)'));
  assert.equal(shown().match(/длинная/g)!.length, 12);
  await screen.click(cardOf(screen, 'длинная').getByRole('link', { name: 'Показать целиком' }));
  await showsPath(screen, `/posts/${id}`);
  await screen.until(() => assert.equal(shown().match(/длинная/g)!.length, 100));
  assert.equal(cardOf(screen, 'длинная').queryByRole('link', { name: 'Показать целиком' }), null);
});
