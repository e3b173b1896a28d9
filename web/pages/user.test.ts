import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen, type Screen } from '../../test/kit/screen/open-screen.ts';
import { cardOf, cards, decide, hasTexts, scrollUntil, write } from '../../test/kit/screen/posts.ts';
import { queriesIn, textOf } from '../../test/kit/screen/queries.ts';
import { openSeeded } from '../../test/kit/screen/seeded.ts';
import { showsPath, titleOf } from '../../test/kit/screen/views.ts';

const name = 'galina_m';
const path = `/users/${name}/replies`;

/** A wall with a question of an author and the replies of that author to it. */
async function openAuthor(replies: readonly string[]) {
  const wall = await openSeeded();
  const by = await wall.seed.person(name);
  const [id] = await wall.seed.posts([{ by, text: 'Вопрос' }]);
  const written = await wall.seed.replies(
    id!,
    replies.map((text) => ({ by, text })),
  );
  return { ...wall, by, id: id!, written };
}

const tab = (screen: Screen, text: string): HTMLElement =>
  queriesIn(screen.getByRole('navigation', { name: 'Записи и ответы' })).getByRole('link', { name: text });

test('the page of an author has a tab for replies, with an address of its own', async () => {
  const texts = Array.from({ length: 25 }, (_, index) => `Ответ ${index + 1}`);
  await using wall = await openAuthor(texts.toReversed());
  await using screen = await openScreen(wall, `/users/${name}`);
  screen.getByText(/^1 запись · на стене с/);
  const current = () => ['Записи', 'Ответы'].map((text) => tab(screen, text).getAttribute('aria-current'));
  assert.deepEqual(current(), ['page', null]);
  await screen.click(tab(screen, 'Ответы'));
  await showsPath(screen, path);
  await screen.until(() => assert.equal(screen.window.document.title, `${name}: ответы - Стена`));
  assert.equal(titleOf(screen), name);
  await screen.until(() => assert.deepEqual(current(), [null, 'page']));
  await screen.findByText(/^25 ответов · на стене с/);
  await scrollUntil(screen, 25);
  await hasTexts(screen, texts);
  cardOf(screen, 'Ответ 25').getByRole('link', { name: /Вопрос/ });
  screen.window.history.back();
  await hasTexts(screen, ['Вопрос']);
  await showsPath(screen, `/users/${name}`);
});

test('a reply to a deleted post says so on its author’s page', async () => {
  await using wall = await openAuthor(['В пустоту']);
  await wall.seed.replies(wall.written[0]!, [{ by: wall.by, text: 'На ответ' }]);
  await wall.seed.remove(wall.id);
  await using screen = await openScreen(wall, path);
  await hasTexts(screen, ['На ответ', 'В пустоту']);
  assert.match(textOf(cards(screen)[1]!), /Запись удалена/);
});

test('one’s own new reply appears on the tab at once, another device’s when the page is opened', async () => {
  await using wall = await openAuthor([]);
  const { seed, id, me: by } = wall;
  await seed.replies(id, [{ by, text: 'Первый' }]);
  await using screen = await openScreen(wall, '/users/anna_k/replies', { as: by });
  await hasTexts(screen, ['Первый']);
  await screen.click(cardOf(screen, 'Первый').getByRole('button', { name: 'Ответить' }));
  await write(screen, 'Второй');
  await decide(screen, 'Опубликовать');
  await hasTexts(screen, ['Второй', 'Первый']);
  await seed.replies(id, [{ by, text: 'Третий' }]);
  await screen.click(tab(screen, 'Записи'));
  await screen.findByText(/^0 записей/);
  await screen.click(tab(screen, 'Ответы'));
  await hasTexts(screen, ['Третий', 'Второй', 'Первый']);
});

test('the replies of a muted author are shown in full on the author’s page, as the posts are', async () => {
  await using wall = await openAuthor(['Ответ']);
  const first = await openScreen(wall, path, { as: wall.me });
  await first.click(await first.findByRole('button', { name: 'Не показывать автора' }));
  await first.findByText('Вы не показываете этого автора');
  await hasTexts(first, ['Ответ']);
  await using screen = await first.reload();
  await screen.findByText('Вы не показываете этого автора');
  await hasTexts(screen, ['Ответ']);
});

test('the posts of a known author do not wait for the author', async () => {
  await using wall = await openSeeded();
  const by = await wall.seed.person('boris_k');
  await wall.seed.posts([{ by, text: 'Где пекарня?' }]);
  await using screen = await openScreen(wall, '/');
  const release = Promise.withResolvers<void>();
  screen.network.intercept(/\/users\/boris_k$/, async ({ forward }) => {
    await release.promise;
    return forward();
  });
  await screen.click(cardOf(screen, 'Где пекарня?').getByRole('link', { name: 'boris_k' }));
  const isOfAuthor = (request: string) => request.includes(`userId=${by}`);
  await screen.until(() => assert.ok(screen.network.requests.some(isOfAuthor)));
  release.resolve();
  await screen.until(() => assert.equal(titleOf(screen), 'boris_k'));
  await hasTexts(screen, ['Где пекарня?']);
  assert.equal(screen.network.requests.filter(isOfAuthor).length, 1);
});

test('a known name that belongs to somebody else by now shows that person’s posts', async () => {
  await using wall = await openSeeded();
  const by = await wall.seed.person('boris_k');
  await wall.seed.posts([{ by, text: 'Где пекарня?' }]);
  const other = await wall.seed.person('galina_m');
  await using screen = await openScreen(wall, '/');
  await wall.seed.posts([{ by: other, text: 'Пекарня за углом' }]);
  screen.network.intercept(/\/users\/boris_k$/, () =>
    Response.json({ id: String(other), username: 'boris_k', created_at: 1_700_000_000 }),
  );
  await screen.click(cardOf(screen, 'Где пекарня?').getByRole('link', { name: 'boris_k' }));
  await hasTexts(screen, ['Пекарня за углом']);
});
