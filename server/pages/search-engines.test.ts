import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteAccount, register } from '../../test/kit/member.ts';
import { openWall, type Wall } from '../../test/kit/wall.ts';
import { idsInPart } from './sitemap.ts';
import { readPage } from '../../test/kit/read-page.ts';
import { onWalls } from '../../test/kit/on-walls.ts';

const address = 'https://wall.example';

const fixed = ['/', '/about', '/rules', '/privacy', '/api'];

const locations = async (wall: Wall, path: string): Promise<string[]> => {
  const { status, text, headers } = await wall.get(path);
  assert.deepEqual([status, headers['content-type']], [200, 'application/xml; charset=utf-8'], path);
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, location]) => location!.replace(address, ''));
};

const onWall = onWalls({ PUBLIC_URL: address }, 'the sitemap');

onWall('lists the feed and every visible root post', async (wall) => {
  assert.deepEqual(await locations(wall, '/sitemap.xml'), ['/sitemap-0.xml', '/sitemap-authors-0.xml']);
  assert.deepEqual(await locations(wall, '/sitemap-0.xml'), fixed);

  const anna = await wall.person('anna_petrova');
  const first = await wall.post(anna, 'первая');
  await wall.reply(anna, first, 'ответ');
  const gone = await wall.post(anna, 'удалённая');
  const second = await wall.post(anna, 'вторая');
  const listed = (...ids: number[]) => [...fixed, ...ids.map((id) => `/posts/${id}`)];
  assert.deepEqual(await locations(wall, '/sitemap-0.xml'), listed(first, gone, second));
  await wall.remove(gone);
  assert.deepEqual(await locations(wall, '/sitemap-0.xml'), listed(first, second));
  const { text } = await wall.get('/sitemap-0.xml');
  const written = new Date(1_700_000_000_000).toISOString();
  assert.ok(text.includes(`<loc>${address}/posts/${first}</loc><lastmod>${written}</lastmod>`));
  await wall.db.tx(({ db, touch }) => {
    touch('feed');
    return db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', anna).execute();
  });
  assert.deepEqual(await locations(wall, '/sitemap-0.xml'), fixed);
});

onWall('lists every author of a visible root post by the current name', async (wall) => {
  const anna = await register(wall);
  const boris = await wall.person('boris_77');
  const listed = async (): Promise<string[]> => {
    await locations(wall, '/sitemap-authors-0.xml');
    return locations(wall, '/sitemap-authors-0.xml');
  };
  assert.deepEqual(await listed(), []);
  await anna.send('POST', '/posts', { text: 'запись' });
  assert.deepEqual(await listed(), [`/users/${anna.username}`]);
  await wall.post(boris, 'запись');
  await anna.send('PATCH', '/users/current/profile', { username: 'anna_petrova' });
  assert.deepEqual(await listed(), ['/users/anna_petrova', '/users/boris_77']);
  await deleteAccount(wall, anna);
  assert.deepEqual(await listed(), ['/users/boris_77']);
  const far = { id: idsInPart + 5, username: 'far_away', username_key: 'far_away', email: 'f@example.org' };
  await wall.db.tx(({ db }) =>
    db
      .insertInto('users')
      .values({ ...far, created_at: 1, posts_count: 1 })
      .execute(),
  );
  assert.deepEqual((await locations(wall, '/sitemap.xml')).slice(1), [
    '/sitemap-authors-0.xml',
    '/sitemap-authors-1.xml',
  ]);
  assert.deepEqual(await locations(wall, '/sitemap-authors-1.xml'), ['/users/far_away']);
  assert.equal((await wall.get('/sitemap-authors-2.xml')).status, 404);
});

onWall('has a part for each range of ids, up to the newest', async (wall) => {
  const user_id = await wall.person('anna_petrova');
  const ids = [1, idsInPart - 1, idsInPart, 2 * idsInPart + 7];
  const rows = ids.map((id) => ({ id, user_id, text: 'запись', created_at: 1 }));
  await wall.db.tx(({ db }) => db.insertInto('all_posts').values(rows).execute());

  const parts = await locations(wall, '/sitemap.xml');
  assert.deepEqual(parts.splice(3), ['/sitemap-authors-0.xml']);
  assert.deepEqual(parts, ['/sitemap-0.xml', '/sitemap-1.xml', '/sitemap-2.xml']);
  const listed = await Promise.all(parts.map((part) => locations(wall, part)));
  assert.deepEqual(listed, [
    [...fixed, ...ids.slice(0, 2).map((id) => `/posts/${id}`)],
    [`/posts/${ids[2]}`],
    [`/posts/${ids[3]}`],
  ]);
  for (const path of ['/sitemap-3.xml', '/sitemap-999999999.xml', '/sitemap-1e3.xml', '/sitemap--1.xml']) {
    assert.equal((await wall.get(path)).status, 404, path);
  }
});

test('robots.txt names the sitemap and excludes personal pages', async () => {
  await using wall = await openWall('sqlite', { PUBLIC_URL: address });
  const { text, headers } = await wall.get('/robots.txt');
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  const lines = text.split('\n');
  assert.equal(lines[0], 'User-agent: *');
  assert.ok(lines.includes(`Sitemap: ${address}/sitemap.xml`));
  const closed = lines.flatMap((line) => /^Disallow: (.+)$/.exec(line)?.[1] ?? []);
  for (const path of closed) assert.match(path, /^\/[\w/*-]+$/);
  const isClosed = (path: string): boolean => closed.some((start) => path.startsWith(start));
  for (const path of ['/api/v1/posts', '/settings/devices', '/liked', '/own/posts', '/notifications']) {
    assert.ok(isClosed(path), path);
  }
  for (const path of ['/', '/posts/1', '/users/anna_petrova', '/assets/main.js', '/feed.xml', '/sitemap-0.xml']) {
    assert.ok(!isClosed(path), path);
  }
});

const PUBLIC_URL = 'https://wall.example';

test('a post’s page describes the post and its replies for search engines, and no text ends the script', async () => {
  await using wall = await openWall('sqlite', { PUBLIC_URL });
  const [anna, boris] = [await wall.person('anna_petrova'), await wall.person('boris_77')];
  const root = await wall.post(anna, 'вопрос </script><script>alert(1)</script>');
  const reply = await wall.reply(boris, root, 'ответ <!--<script>');
  const described = async (path: string) => {
    const blocks = (await wall.get(path)).text.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g);
    return [...blocks].map(([, json]) => JSON.parse(json!));
  };

  const [posting, ...others] = await described(`/posts/${root}`);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [posting['@context'], posting['@type'], posting.url, posting.text, posting.isPartOf],
    [
      'https://schema.org',
      'DiscussionForumPosting',
      `${PUBLIC_URL}/posts/${root}`,
      'вопрос </script><script>alert(1)</script>',
      undefined,
    ],
  );
  assert.deepEqual(posting.author, {
    '@type': 'Person',
    name: 'anna_petrova',
    url: `${PUBLIC_URL}/users/anna_petrova`,
  });
  assert.equal(posting.datePublished, new Date(1_700_000_000_000).toISOString());
  assert.deepEqual(
    posting.interactionStatistic.map((counter: Record<string, unknown>) => counter['userInteractionCount']),
    [0, 1],
  );
  assert.deepEqual(
    posting.comment.map((comment: Record<string, unknown>) => [comment['@type'], comment['url'], comment['text']]),
    [['Comment', `${PUBLIC_URL}/posts/${reply}`, 'ответ <!--<script>']],
  );
  const [nested] = await described(`/posts/${reply}`);
  assert.deepEqual([nested.isPartOf, nested.comment], [`${PUBLIC_URL}/posts/${root}`, undefined]);
  assert.deepEqual(await described('/'), []);
});

test('every page with posts links to their feeds, which exist', async () => {
  await using wall = await openWall('sqlite', { PUBLIC_URL, APP_NAME: 'Двор' });
  const id = await wall.post(await wall.person('anna_petrova'), 'запись');
  const wallFeed = ['Двор', '/feed.xml'];
  const authorFeed = ['anna_petrova - Двор', '/users/anna_petrova/feed.xml'];
  for (const [path, expected] of Object.entries({
    '/': [wallFeed],
    '/users/anna_petrova': [authorFeed],
    [`/posts/${id}`]: [wallFeed, ['Это обсуждение', `/posts/${id}/feed.xml`], authorFeed],
    '/settings': [],
  })) {
    const links = (await wall.get(path)).text.matchAll(
      /<link rel="alternate" type="application\/atom\+xml" title="([^"]+)" href="([^"]+)"\/>/g,
    );
    const named = [...links].map(([, title, href]) => [title, href]);
    assert.deepEqual(named, expected, path);
    for (const [, href] of named) assert.equal((await wall.get(href!)).status, 200, href!);
  }
});

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

test('the heads of the feed, a post, an author and their replies describe them', async () => {
  await using wall = await openRead();
  const postTitle = `boris_petrov: ${text} - Стена`;
  const postPath = `/posts/${wall.id}`;
  for (const [path, title, description, more] of [
    ['/', 'Стена', 'Лента коротких записей: читайте, отвечайте, пишите свои.', {}],
    [postPath, postTitle, text, { 'og:type': 'article', 'article:author': `${url}/users/boris_petrov` }],
    ['/users/boris_petrov', 'boris_petrov - Стена', 'Записи пользователя boris_petrov.', {}],
    ['/users/boris_petrov/replies', 'boris_petrov: ответы - Стена', 'Ответы пользователя boris_petrov.', {}],
  ] as const) {
    const canonical = url + path;
    const { 'article:published_time': published = '', ...head } = await wall.head(path);
    assert.match(published, path === postPath ? /^\d{4}-\d\d-\d\dT[\d:.]+Z$/ : /^$/);
    assert.deepEqual(head, {
      title,
      description,
      canonical,
      'og:type': 'website',
      'og:site_name': 'Стена',
      'og:locale': 'ru_RU',
      'og:title': title,
      'og:description': description,
      'og:url': canonical,
      ...share,
      ...more,
    });
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
    const { status, document } = await readPage(wall, path);
    assert.deepEqual([status, document.title], [404, `${title} - Стена`], path);
    assert.ok(!document.querySelector('link[rel=canonical]'), path);
    const headings = [...document.querySelectorAll('h1, h2')].map(({ textContent }) => textContent);
    assert.ok(headings.includes(title), path);
    assert.ok(document.querySelector('main')!.textContent.includes(says), path);
  }
});
