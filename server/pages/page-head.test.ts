import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage } from '../../test/kit/screen/read-page.ts';
import { openWall } from '../../test/kit/wall.ts';

const url = 'http://localhost:3000';
const text = 'Какую книгу вы перечитываете чаще всего?';

const share = {
  'og:image': `${url}/share.png`,
  'og:image:type': 'image/png',
  'og:image:width': '1200',
  'og:image:height': '630',
  'og:image:alt': 'Кирпичная стена: записи стоят рядами, три из них красные',
  'twitter:card': 'summary_large_image',
};

function headOf(document: Document): Record<string, string> {
  const metas = [...document.querySelectorAll('meta[name=description], meta[name^=twitter], meta[property]')];
  const named = metas.map((meta) => [
    meta.getAttribute('property') ?? meta.getAttribute('name'),
    meta.getAttribute('content'),
  ]);
  const canonical = document.querySelector('link[rel=canonical]')!.getAttribute('href');
  return { title: document.title, canonical, ...Object.fromEntries(named) };
}

async function openRead() {
  const wall = await openWall('sqlite');
  const id = await wall.post(await wall.person('boris_petrov'), text);
  const head = async (path: string) => {
    const { status, document } = await readPage(wall, path);
    assert.equal(status, 200);
    return headOf(document);
  };
  return { ...wall, id, head };
}

test('the head of the feed describes the wall', async () => {
  await using wall = await openRead();
  const description = 'Лента коротких записей: читайте, отвечайте, пишите свои.';
  assert.deepEqual(await wall.head('/'), {
    title: 'Стена',
    description,
    canonical: `${url}/`,
    'og:type': 'website',
    'og:site_name': 'Стена',
    'og:locale': 'ru_RU',
    'og:title': 'Стена',
    'og:description': description,
    'og:url': `${url}/`,
    ...share,
  });
});

test('the heads of a post, of an author and of their replies describe them', async () => {
  await using wall = await openRead();
  const postTitle = `boris_petrov: ${text} - Стена`;
  const { 'article:published_time': published, ...post } = await wall.head(`/posts/${wall.id}`);
  assert.match(published!, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.partialDeepStrictEqual(post, {
    title: postTitle,
    description: text,
    canonical: `${url}/posts/${wall.id}`,
    'og:type': 'article',
    'og:title': postTitle,
    'og:description': text,
    'og:url': `${url}/posts/${wall.id}`,
    ...share,
    'article:author': `${url}/users/boris_petrov`,
  });
  for (const [path, title, description] of [
    ['/users/boris_petrov', 'boris_petrov - Стена', 'Записи пользователя boris_petrov.'],
    ['/users/boris_petrov/replies', 'boris_petrov: ответы - Стена', 'Ответы пользователя boris_petrov.'],
  ] as const) {
    const canonical = url + path;
    const expected = { title, description, canonical, 'og:title': title, 'og:url': canonical };
    assert.partialDeepStrictEqual(await wall.head(path), expected);
  }
});

test('pages of nothing return 404 and say what does not exist', async () => {
  await using wall = await openRead();
  const post = ['Запись не найдена', 'Запись не существует или была удалена'] as const;
  const page = ['Страница не существует', 'Проверьте корректность адреса'] as const;
  for (const [path, [title, says]] of Object.entries({
    '/posts/999999': post,
    '/posts/1e3': post,
    '/users/nobody_here': page,
    '/users/nobody_here/replies': page,
    '/users/%D0%BA%D1%82%D0%BE': page,
    '/no/such/page': page,
  })) {
    const read = await readPage(wall, path);
    assert.deepEqual([read.status, read.document.title], [404, `${title} - Стена`], path);
    read.getByRole('heading', { name: title });
    read.getByText(says);
  }
});
