import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deleteAccount, publish, register } from '../../test/kit/member.ts';
import { removePost, restore } from '../../test/kit/moderation.ts';
import { openWall } from '../../test/kit/wall.ts';
import { readPage } from '../../test/kit/read-page.ts';
import { now } from '../../test/kit/signed-in.ts';
import { onWalls } from '../../test/kit/on-walls.ts';

const settings = { PUBLIC_URL: 'https://wall.example', APP_NAME: 'Двор & сад' };
const address = settings.PUBLIC_URL;

const all = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}(?: [^>]*)?>([^<]*)</${element}>`, 'g'))].map(([, text]) => text!);

/** The links of a feed itself, by their relation. */
const linksOf = (xml: string) =>
  new Map(
    [...xml.split('<entry>', 1)[0]!.matchAll(/<link rel="(\w+)"[^>]* href="([^"]+)"\/>/g)].map(([, rel, to]) => [
      rel,
      to,
    ]),
  );

/** The texts of the posts in the HTML of the entries. */
const contents = (xml: string): string[] =>
  all(xml, 'content').map((html) => /^&lt;p&gt;([^]*)&lt;\/p&gt;$/.exec(html)![1]!);

const onWall = onWalls(settings, 'feeds');

onWall('contain the newest root posts of the wall or of one author', async (wall) => {
  const anna = await wall.person('Anna_Petrova');
  const boris = await wall.person('boris_77');
  const first = await wall.post(anna, 'Первая\nвторая строка');
  await wall.reply(boris, first, 'ответ');
  for (let i = 1; i <= 21; i += 1) await wall.post(boris, `запись ${i}`);
  const last = await wall.post(anna, 'длинное слово '.repeat(10).trim());

  const { status, text, headers } = await wall.get('/feed.xml');
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'application/atom+xml; charset=utf-8');
  const texts = contents(text);
  assert.equal(texts.length, 20);
  assert.deepEqual(texts.slice(0, 2), ['длинное слово '.repeat(10).trim(), 'запись 21']);
  assert.deepEqual(all(text, 'title').slice(0, 2), [
    'Двор &amp; сад',
    'длинное слово длинное слово длинное слово длинное слово…',
  ]);
  assert.match(text, new RegExp(`<entry>\n<id>${address}/posts/${last}</id>`));
  assert.deepEqual([linksOf(text).get('self'), linksOf(text).get('alternate')], [`${address}/feed.xml`, `${address}/`]);
  const written = new Date((wall.clock.now - 1) * 1_000).toISOString();
  assert.deepEqual(all(text, 'updated').slice(0, 2), [written, written]);

  const own = (await wall.get('/users/anna_petrova/feed.xml')).text;
  assert.deepEqual(all(own, 'title'), [
    'Anna_Petrova - Двор &amp; сад',
    'длинное слово длинное слово длинное слово длинное слово…',
    'Первая',
  ]);
  assert.equal(linksOf(own).get('self'), `${address}/users/Anna_Petrova/feed.xml`);
  assert.equal(linksOf(own).get('alternate'), `${address}/users/Anna_Petrova`);
  assert.deepEqual(all(own, 'subtitle'), ['Записи пользователя Anna_Petrova.']);
  assert.equal(contents(own)[1], 'Первая&lt;br&gt;вторая строка');
  assert.equal(all(own, 'id')[0], `${address}/users/Anna_Petrova/feed.xml`);
  assert.deepEqual([...new Set(all(own, 'uri'))], [`${address}/users/Anna_Petrova`]);
});

onWall('contain every post exactly once over all pages', async (wall) => {
  const [anna, boris] = [await wall.person('anna_petrova'), await wall.person('boris_77')];
  for (let i = 1; i <= 45; i += 1) await wall.post(i % 9 === 0 ? boris : anna, `запись ${i}`);
  for (const [path, count] of [
    ['/feed.xml', 45],
    ['/users/anna_petrova/feed.xml', 40],
  ] as const) {
    const texts: string[] = [];
    let parts = 0;
    for (let next: string | undefined = address + path; next;) {
      const { status, text } = await wall.get(next.replace(address, ''));
      assert.equal(status, 200, next);
      const links = linksOf(text);
      assert.deepEqual([links.get('first'), links.get('self')], [address + path, next]);
      assert.equal(all(text, 'id')[0], address + path);
      texts.push(...contents(text));
      parts += 1;
      next = links.get('next');
    }
    assert.equal(new Set(texts).size, count);
    assert.deepEqual([texts.length, parts], [count, Math.ceil(count / 20)]);
  }
  // The second request for an address is answered from the cache.
  for (let i = 0; i < 2; i += 1) await wall.get('/users/anna_petrova/feed.xml');
  for (const cursor of ['of%20anna_petrova%20', '', 'x', 'c', '%00', `c${'9'.repeat(40)}`]) {
    assert.equal((await wall.get(`/feed.xml?cursor=${cursor}`)).status, 404, cursor);
  }
});

onWall('contain a whole discussion, or what a search finds', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  const root = await publish(anna, 'Кто пойдёт на субботник?');
  const first = await publish(boris, 'Приду с лопатой', `/posts/${root.id}/replies`);
  await publish(anna, 'И я с лопатами', `/posts/${first.id}/replies`);
  await publish(boris, 'Лопата чужая');
  const feed = `/posts/${root.id}/feed.xml`;
  const textsOf = async (path: string) => contents((await wall.get(path)).text);
  assert.deepEqual(await textsOf(feed), ['И я с лопатами', 'Приду с лопатой', 'Кто пойдёт на субботник?']);
  assert.deepEqual(
    [...linksOf((await wall.get(feed)).text).values()],
    [address + feed, address + feed, `${address}/posts/${root.id}`],
  );
  assert.equal((await wall.get(`/posts/${first.id}/feed.xml`)).headers['location'], feed);
  await boris.send('PATCH', `/posts/${first.id}`, { text: 'Приду с метлой' });
  for (let i = 0; i < 19; i += 1) await publish(i % 2 ? anna : boris, `ещё ${i}`, `/posts/${root.id}/replies`);
  const newest = (await wall.get(feed)).text;
  assert.equal(contents(newest).length, 20);
  assert.deepEqual(await textsOf(linksOf(newest).get('next')!.replace(address, '')), [
    'Приду с метлой',
    'Кто пойдёт на субботник?',
  ]);
  for (const missing of [
    '/posts/999/feed.xml',
    '/posts/x/feed.xml',
    `${feed}?cursor=x`,
    '/search.xml',
    '/search.xml?q=',
  ])
    assert.equal((await wall.get(missing)).status, 404, missing);

  const search = `/search.xml?q=${encodeURIComponent('лопата')}`;
  assert.deepEqual(await textsOf(search), ['Лопата чужая', 'И я с лопатами']);
  assert.equal(linksOf((await wall.get(search)).text).get('self'), address + search);
  const page = (await wall.get(`/posts/${first.id}`)).text + (await wall.get(search.replace('.xml', ''))).text;
  for (const path of [feed, search])
    assert.ok(page.includes(`type="application/atom+xml" title="`) && page.includes(`href="${path}"`), path);
});

onWalls({}, 'feeds')('show removals, deletions, changes of names and deleted accounts at once', async (wall) => {
  const anna = await register(wall);
  const write = async (text: string): Promise<string> => {
    wall.clock.now += 1;
    return (await anna.send('POST', '/posts', { text })).json().id;
  };
  const ids = [await write('останется'), await write('исчезнет'), await write('скроют')];
  const shown = async (): Promise<string[][]> => {
    const paths = ['/feed.xml', `/users/${anna.username}/feed.xml`];
    const look = () => Promise.all(paths.map(async (path) => contents((await wall.get(path)).text)));
    await look();
    return look();
  };
  const both = (...texts: string[]): string[][] => [texts, texts];

  assert.deepEqual(await shown(), both('скроют', 'исчезнет', 'останется'));
  await anna.send('DELETE', `/posts/${ids[1]}`);
  assert.deepEqual(await shown(), both('скроют', 'останется'));
  await removePost(wall, ids[2]!);
  assert.deepEqual(await shown(), both('останется'));
  await restore(wall, ids[2]!);
  assert.deepEqual(await shown(), both('скроют', 'останется'));
  await anna.send('PATCH', `/posts/${ids[0]}`, { text: 'изменена' });
  assert.deepEqual(await shown(), both('скроют', 'изменена'));
  await anna.send('PATCH', '/users/current/profile', { username: 'anna_renamed' });
  assert.deepEqual(all((await wall.get('/feed.xml')).text, 'name'), ['anna_renamed', 'anna_renamed']);
  assert.equal((await wall.get('/users/anna_renamed/feed.xml')).status, 200);
  await deleteAccount(wall, anna);
  assert.deepEqual(contents((await wall.get('/feed.xml')).text), []);
  assert.equal((await wall.get('/users/anna_renamed/feed.xml')).status, 404);
});

describe('a feed', () => {
  test('responds 304 to an unchanged ETag, and contains nothing personal', async () => {
    await using wall = await openWall('sqlite', settings);
    const anna = await wall.person('anna_petrova');
    await wall.post(anna, 'Запись о погоде');
    const { headers } = await wall.get('/feed.xml');
    const again = await wall.get('/feed.xml', { 'if-none-match': String(headers['etag']) });
    assert.deepEqual([again.status, again.text], [304, '']);
    for (const path of ['/feed.xml', '/users/anna_petrova/feed.xml', '/sitemap.xml', '/sitemap-0.xml', '/robots.txt']) {
      const response = await wall.get(path);
      assert.equal(response.status, 200, path);
      assert.equal(response.headers['x-content-type-options'], 'nosniff', path);
      assert.equal(response.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'", path);
      assert.equal(response.headers['set-cookie'], undefined, path);
      assert.equal(response.headers['cache-control'], 'no-cache', path);
    }
  });

  test('shows links, tags, mentions and line breaks of a text, and no markup from it', async () => {
    await using wall = await openWall('sqlite', settings);
    const anna = await wall.person('anna_petrova');
    await wall.post(anna, 'см. https://example.com/?a=1&b="2"\n\n<b onclick=x>жирно</b> & javascript:alert(1)');
    await wall.post(anna, '#двор, @boris_77');
    const [tagged = '', html] = all((await wall.get('/feed.xml')).text, 'content');
    // The links are absolute, because feed readers show them at other addresses.
    assert.ok(tagged.includes(`href=&quot;${address}/search?q=%23%D0%B4%D0%B2%D0%BE%D1%80&quot;`), tagged);
    assert.ok(tagged.includes(`href=&quot;${address}/users/boris_77&quot;`), tagged);
    const unescaped = html!.replace(
      /&(lt|gt|quot|amp);/g,
      (_, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name]!,
    );
    assert.equal(
      unescaped,
      '<p>см. <a href="https://example.com/?a=1&amp;b=" rel="nofollow ugc noopener">https://example.com/?a=1&amp;b=</a>' +
        '&quot;2&quot;<br><br>&lt;b onclick=x&gt;жирно&lt;/b&gt; &amp; javascript:alert(1)</p>',
    );
  });

  test('a link whose host reads like another one is shown with its ASCII host, on the page of the post too', async () => {
    await using wall = await openWall('sqlite', settings);
    const id = await wall.post(await wall.person('anna_petrova'), 'вход: https://bank.ru\u2044login.evil.org/');
    const host = 'bank.xn--rulogin-2d7c.evil.org';
    for (const path of ['/feed.xml', `/posts/${id}`]) {
      const { text } = await wall.get(path);
      const html = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
      const [, link] = /<a [^>]*nofollow[^>]*>(.*?)<\/a>/.exec(html) ?? [];
      assert.equal(link?.replaceAll(/<[^>]*>/g, ''), `https://${host}/`, path);
    }
  });

  test('can be read by pages of any origin, other documents cannot', async () => {
    await using wall = await openWall('sqlite', settings);
    await wall.post(await wall.person('anna_petrova'), 'запись');
    const origin = { origin: 'https://reader.example' };
    const { headers } = await wall.get('/feed.xml', origin);
    const again = await wall.get('/feed.xml', { ...origin, 'if-none-match': String(headers['etag']) });
    const author = await wall.get('/users/anna_petrova/feed.xml', origin);
    for (const feed of [headers, again.headers, author.headers]) {
      assert.equal(feed['access-control-allow-origin'], '*');
      assert.equal(feed['access-control-allow-credentials'], undefined);
    }
    for (const path of ['/', '/api/v1/posts', '/sitemap.xml', '/share.png']) {
      assert.equal((await wall.get(path, origin)).headers['access-control-allow-origin'], undefined, path);
    }
  });

  test('of an unknown author is not found, of an empty wall is empty', async () => {
    await using wall = await openWall('sqlite');
    await wall.person('anna_petrova');
    for (const name of ['nobody_here', '%D0%BA%D1%82%D0%BE', '%3Cscript%3E']) {
      assert.equal((await wall.get(`/users/${name}/feed.xml`)).status, 404, name);
    }
    for (const path of ['/feed.xml', '/users/anna_petrova/feed.xml']) {
      const { status, text } = await wall.get(path);
      assert.deepEqual([status, contents(text)], [200, []]);
      assert.match(text, /<updated>\d{4}-\d\d-\d\dT[\d:.]+Z<\/updated>/);
    }
  });
});

onWalls({}, 'quotations')('are shown as such on pages and in feeds, and are plain text in the API', async (wall) => {
  const anna = await wall.person('anna_k');
  const text = 'Сначала\n> процитировано\nПотом.';
  const id = await wall.post(anna, text);
  await wall.reply(anna, id, 'Ответ');
  const page = (await wall.get(`/posts/${id}`)).text;
  assert.match(page, /<blockquote[^>]*><span[^>]*>&gt; <\/span>процитировано\n<\/blockquote>Потом\./);
  assert.match((await wall.get('/users/anna_k?view=replies')).text, /<blockquote|<q>/);
  assert.match((await wall.get(`/posts/${id}/reply`)).text, /Сначала[^а-я]*<q>процитировано<\/q>[^а-я]*Потом\./);
  const feed = (await wall.get('/feed.xml')).text.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  assert.match(feed, /<p>Сначала<\/p><blockquote>процитировано<\/blockquote><p>Потом\.<\/p>/);
  assert.equal(JSON.parse((await wall.get(`/api/v1/posts/${id}`)).text).text, text);
});

test('feeds, titles and descriptions for search engines say both names of a person, lines the shown one', async () => {
  await using wall = await openWall('sqlite');
  // Lists show the last reply only for some time, so the wall's clock is set to the present.
  wall.clock.now = now();
  const anna = await register(wall);
  await anna.send('PATCH', '/users/current/profile', { username: 'anna_pe', display_name: 'Анна П.' });
  anna.username = 'anna_pe';
  const both = `Анна П. (@${anna.username})`;
  const root = await publish(anna, 'Вопрос');
  for (const i of [1, 2]) await publish(await register(wall), `Слово ${i}`, `/posts/${root.id}/replies`);
  const reply = await publish(anna, 'Ответ', `/posts/${root.id}/replies`);

  const pages = {
    [`/users/${anna.username}`]: both,
    [`/users/${anna.username}/replies`]: `${both}: ответы`,
    [`/posts/${root.id}`]: `${both}: Вопрос`,
    [`/posts/${reply.id}`]: `${both}: Ответ`,
  };
  for (const [path, title] of Object.entries(pages)) {
    assert.equal((await readPage(wall, path)).document.title, `${title} - Стена`);
  }

  const described = (await readPage(wall, `/posts/${root.id}`)).document.querySelector('[type="application/ld+json"]');
  const { author, comment } = JSON.parse(described!.textContent);
  assert.equal(author.name, both);
  assert.ok(comment.some((each: typeof comment) => each.author.name === both));
  const { document: thread } = await readPage(wall, `/posts/${reply.id}`);
  assert.equal(thread.querySelector('[aria-label="Начало обсуждения"] bdi')!.textContent, 'Анна П.');
  const links = (await readPage(wall, '/discussed')).document.querySelectorAll('main a');
  const lastReply = [...links].find(({ textContent }) => textContent.includes('Ответ'))!;
  assert.equal(lastReply.querySelector('bdi')!.textContent, 'Анна П.');
  assert.match((await wall.get('/feed.xml')).text, new RegExp(`<name>Анна П\\. \\(@${anna.username}\\)</name>`));
});
