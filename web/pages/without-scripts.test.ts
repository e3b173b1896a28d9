import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSeeded } from '../../test/kit/screen/seeded.ts';
import { queriesIn, textOf } from '../../test/kit/screen/queries.ts';
import { type ReadPage, readPage, readToTheEnd } from '../../test/kit/screen/read-page.ts';

const numbered = (count: number, what: string) => Array.from({ length: count }, (_, index) => `${what} ${index + 1}`);

/** The address that a link of the page leads to. */
const linkOf = (page: ReadPage, name: RegExp): string => page.getByRole('link', { name }).getAttribute('href')!;

test('without scripts links lead through the feed and the posts of an author to their end', async () => {
  await using wall = await openSeeded();
  const texts = numbered(31, 'Пост');
  await wall.seed.posts(texts.map((text) => ({ by: wall.me, text })).toReversed());
  for (const path of ['/', '/users/anna_k']) assert.deepEqual(await readToTheEnd(wall, path), texts, path);
});

test('without scripts the tabs of an author are links, and the replies can be read to their end', async () => {
  await using wall = await openSeeded();
  const [id] = await wall.seed.posts([{ by: wall.me, text: 'Вопрос' }]);
  const texts = numbered(25, 'Ответ');
  await wall.seed.replies(id!, texts.map((text) => ({ by: wall.me, text })).toReversed());
  const path = linkOf(await readPage(wall, '/users/anna_k'), /^Ответы$/);
  assert.equal(path, '/users/anna_k/replies');
  assert.deepEqual(await readToTheEnd(wall, path), texts);
  const second = await readPage(
    wall,
    new URL(linkOf(await readPage(wall, path), /^Дальше$/), `http://x${path}`).href.slice(8),
  );
  const canonical = second.document.querySelector('link[rel=canonical]')!.getAttribute('href');
  assert.equal(canonical, `http://localhost:3000${path}`);
});

test('without scripts links lead through the replies to their end, under the post they reply to', async () => {
  await using wall = await openSeeded();
  const [id] = await wall.seed.posts([{ by: wall.me, text: 'Вопрос' }]);
  const direct = numbered(25, 'Ответ');
  const replies = await wall.seed.replies(id!, direct.map((text) => ({ by: wall.me, text })).toReversed());
  await wall.seed.replies(replies.at(-1)!, [{ by: wall.me, text: 'Ответ на ответ' }]);
  const path = `/posts/${id}`;
  assert.deepEqual(await readToTheEnd(wall, path), ['Ответ 1', 'Ответ на ответ', ...direct.slice(1)]);
  (await readPage(wall, path)).getByText('Вопрос');
});

test('without scripts a long branch continues on the page of its post', async () => {
  await using wall = await openSeeded();
  const [id] = await wall.seed.posts([{ by: wall.me, text: 'Вопрос' }]);
  const [first] = await wall.seed.replies(id!, [{ by: wall.me, text: 'Первый' }]);
  await wall.seed.replies(
    first!,
    numbered(60, 'Довод').map((text) => ({ by: wall.me, text })),
  );
  const page = await readPage(wall, `/posts/${id}`);
  const path = linkOf(page, /^Показать ещё \d+$/);
  assert.equal(path, `/posts/${first}`);
  const start = (await readPage(wall, path)).getByRole('group', { name: 'Начало обсуждения' });
  assert.match(textOf(start), /Вопрос/);
  assert.equal((await readToTheEnd(wall, path)).length, 60);
});

test('without scripts posts link to their pages, authors to theirs', async () => {
  await using wall = await openSeeded();
  const [id] = await wall.seed.posts([{ by: wall.me, text: 'Вопрос', age: 65 * 60 }]);
  await wall.seed.replies(id!, [{ by: wall.me, text: 'Ответ' }]);
  const path = linkOf(await readPage(wall, '/'), /^1 ч\.$/);
  assert.equal(path, `/posts/${id}`);
  const post = await readPage(wall, path);
  post.getByRole('heading', { name: 'Ответы' });
  const [author] = queriesIn(post.getByRole('main')).getAllByRole('link', { name: 'anna_k' });
  (await readPage(wall, author!.getAttribute('href')!)).getByRole('heading', { name: 'anna_k' });
});
