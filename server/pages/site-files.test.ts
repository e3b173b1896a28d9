import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { callTable } from '#contract/calls.ts';
import { keeperActs } from '#contract/keeper-acts.ts';
import { sendRaw } from '../../test/kit/send-raw.ts';
import { openWall, type Wall } from '../../test/kit/wall.ts';
import { seedOf } from '../../test/kit/seed.ts';
import { registerModerator } from '../../test/kit/desk.ts';
import { onWalls } from '../../test/kit/on-walls.ts';

interface Picture {
  src: string;
  type: string;
  sizes: string;
  purpose?: string;
  form_factor?: string;
}

interface Manifest {
  icons: Picture[];
  screenshots: Picture[];
  shortcuts: { name: string; url: string; icons: Picture[] }[];
}

const securityText = '/.well-known/security.txt';

test('security.txt names the contact for less than a year, and is missing without one', async () => {
  const settings = { PUBLIC_URL: 'https://wall.example', CONTACT: 'mailto:wall@example.org' };
  await using wall = await openWall('sqlite', settings);
  const { status, text, headers } = await wall.get(securityText);
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8']);
  const fields = new Map(
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/s) as [string, string]),
  );
  assert.equal(fields.get('Contact'), 'mailto:wall@example.org');
  assert.equal(fields.get('Canonical'), settings.PUBLIC_URL + securityText);
  const left = Date.parse(fields.get('Expires')!) / 1_000 - wall.clock.now;
  assert.ok(left > 150 * 86_400 && left < 365 * 86_400, `${left} s`);
  wall.clock.now += 300 * 86_400;
  assert.ok(!(await wall.get(securityText)).text.includes(fields.get('Expires')!));

  await using silent = await openWall('sqlite');
  assert.equal((await silent.get(securityText)).status, 404);
});

/** The width and the height by the head of a PNG, which may be in an ICO, or of a WebP. */
async function sizeOf(wall: Wall, src: string): Promise<string> {
  const { rawPayload } = await wall.app.inject({ method: 'GET', url: src });
  const [png, webp] = ['IHDR', 'VP8X'].map((head) => rawPayload.indexOf(head));
  assert.ok(png! > 0 || webp! > 0, src);
  const sides =
    png! > 0
      ? [4, 8].map((offset) => rawPayload.readUInt32BE(png! + offset))
      : [12, 15].map((offset) => rawPayload.readUIntLE(webp! + offset, 3) + 1);
  return sides.join('x');
}

onWalls({ APP_NAME: 'Двор "на Заводской"' })('the manifest describes the wall under its own name', async (wall) => {
  const { status, text, headers } = await wall.get('/manifest.webmanifest');
  assert.deepEqual([status, headers['content-type']], [200, 'application/manifest+json; charset=utf-8']);
  const { icons, screenshots, shortcuts, ...manifest } = JSON.parse(text) as Manifest;
  assert.deepEqual(manifest, {
    id: '/',
    name: 'Двор "на Заводской"',
    short_name: 'Двор "на Заводской"',
    description: 'Лента коротких записей: читайте, отвечайте, пишите свои.',
    lang: 'ru',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#1a1614',
    theme_color: '#1a1614',
    categories: ['social', 'lifestyle'],
    share_target: {
      action: '/new',
      method: 'GET',
      enctype: 'application/x-www-form-urlencoded',
      params: { title: 'title', text: 'text', url: 'url' },
    },
  });
  assert.deepEqual(
    icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`),
    ['any any', '192x192 any', '512x512 any', '192x192 maskable', '512x512 maskable'],
  );
  assert.deepEqual(
    screenshots.map(({ form_factor }) => form_factor),
    ['narrow', 'narrow', 'wide'],
  );
  assert.deepEqual(
    shortcuts.map(({ name }) => name),
    ['Новая запись', 'Уведомления', 'Поиск'],
  );
  for (const { url } of shortcuts) assert.equal((await wall.get(url)).status, 200, url);
  for (const { src, type, sizes } of [
    ...icons,
    ...screenshots,
    ...shortcuts.flatMap((shortcut) => shortcut.icons),
    { src: '/apple-touch-icon.png', type: 'image/png', sizes: '180x180' },
    { src: '/favicon.ico', type: 'image/vnd.microsoft.icon', sizes: '32x32' },
    { src: '/share.png', type: 'image/png', sizes: '1200x630' },
  ]) {
    const picture = await wall.get(src);
    assert.deepEqual([picture.status, picture.headers['content-type']], [200, type], src);
    if (sizes !== 'any') assert.equal(await sizeOf(wall, src), sizes, src);
  }
});

onWalls()('the emoji of the wall is its icon, on the tab and on the home screen', async (wall) => {
  const owner = await registerModerator(wall, 'owner');
  const files = ['/mark.svg', '/mark-unread.svg', '/mark-maskable.svg'];
  for (const file of files) assert.equal((await wall.get(file)).status, 404, file);
  assert.match((await wall.get('/')).text, /<link rel="icon" href="\/favicon\.svg"/);
  for (const mark of ['🏳️\u200d🌈', '👍🏽', '🇷🇺', '🏡']) {
    assert.equal((await owner.send('PUT', '/keep/settings', { mark })).statusCode, 200, mark);
    for (const file of files) {
      const { text, headers } = await wall.get(file);
      assert.deepEqual([headers['content-type'], text.includes(`>${mark}</text>`)], ['image/svg+xml', true], file);
    }
    assert.match((await wall.get('/')).text, new RegExp(`href="/mark\\.svg\\?${encodeURIComponent(mark)}"`));
  }
  const { icons } = JSON.parse((await wall.get('/manifest.webmanifest')).text) as Manifest;
  assert.deepEqual(
    icons.map(({ src, purpose }) => `${src} ${purpose}`),
    ['/mark.svg any', '/mark-maskable.svg maskable'],
  );
  await owner.send('PUT', '/keep/settings', { mark: '' });
  assert.equal((await wall.get('/mark.svg')).status, 404);
});

onWalls()('what is shared is escaped in the form without scripts, and in no stored page', async (wall) => {
  const plain = await wall.get('/new');
  const shared = await wall.get(`/new?text=${encodeURIComponent('<script>alert(1)</script> привет')}`);
  assert.equal(plain.status, 200);
  assert.match(shared.text, /<textarea [^>]*>&lt;script&gt;alert\(1\)&lt;\/script&gt; привет<\/textarea>/);
  assert.ok(!shared.text.includes('<script>alert'));
  for (const page of [plain, shared]) assert.equal(page.headers['cache-control'], 'no-store, no-cache');
  assert.ok(!(await wall.get('/new')).text.includes('привет'));
  assert.match(plain.text, /<meta name="robots" content="noindex"\/>/);
});

test('an address that ends with a slash redirects to the address without it, never to another site', async () => {
  await using wall = await openWall('sqlite');
  const ask = async (url: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') => {
    const { statusCode, headers } = await wall.app.inject({ method, url });
    return [statusCode, headers.location];
  };
  for (const path of ['/posts/5', '/settings/account/email', '/no/such/page']) {
    assert.deepEqual(await ask(`${path}/`), [308, path]);
  }
  assert.deepEqual(await ask('/users/anna/', 'HEAD'), [308, '/users/anna']);
  assert.deepEqual(await ask('/posts/5/?cursor=7'), [308, '/posts/5?cursor=7']);
  for (const path of ['//evil.example/', '///evil.example/', '/\\evil.example/', '/..//evil.example/', '/%0d%0aa:/']) {
    const [, location = '/'] = await ask(`http://wall.example${path}`);
    assert.equal(new URL(String(location), 'http://wall.example').host, 'wall.example', path);
  }
  assert.deepEqual(await ask('/api/v1/posts/'), [404, undefined]);
  assert.deepEqual(await ask('/posts/5/', 'POST'), [404, undefined]);
});

test('no request is redirected to another site, whatever host stands in its first line or header', async () => {
  await using wall = await openWall('sqlite');
  await wall.person('anna');
  await wall.app.listen({ host: '127.0.0.1', port: 0 });
  const ask = async (asked: string) => {
    const headers = 'Host: evil.example\r\nAccept: text/html\r\nConnection: close';
    const received = await sendRaw(wall.app, `GET ${asked} HTTP/1.1\r\n${headers}\r\n\r\n`);
    return [Number(received.slice(9, 12)), /^location: (.*)$/im.exec(received)?.[1]] as const;
  };

  const paths = [
    '/posts/5/',
    '/%70osts/5',
    '/users/ANNA',
    '/users/ANNA/',
    '/settings',
    '//evil.example/',
    '/ё/',
    '',
    '?a',
  ];
  for (const site of ['http://evil.example', 'HTTPS://a@EVIL.example:81', 'ftp://evil.example', '/', '//', '/\\'])
    for (const path of paths) {
      const [status, location = '/'] = await ask(site + path);
      assert.match(location, /^\/(?![/\\])/, `${site}${path}`);
      assert.ok(status < 500, `${status} ${site}${path}`);
    }
  assert.deepEqual(await ask('http://evil.example/posts/5/'), [308, '/posts/5']);
  assert.deepEqual(await ask('http://evil.example/%70osts/5'), [308, '/posts/5']);
  assert.deepEqual(await ask('http://evil.example/'), [200, undefined]);
  assert.deepEqual(await ask('http://evil.example'), [200, undefined]);
});

test('an address with a query in raw UTF-8 leads to the page of the percent-encoded one', async () => {
  await using wall = await openWall('sqlite');
  const anna = await wall.person('anna');
  await wall.post(anna, 'Во дворе стоит ёлка');
  await wall.app.listen({ host: '127.0.0.1', port: 0 });
  const asked = 'GET /search?q=ёлка HTTP/1.1\r\nHost: wall\r\n\r\n';
  const received = await sendRaw(wall.app, asked);
  const [, location] = /^HTTP\/1\.1 308 .*^location: (\S+)$/ms.exec(received)!;
  assert.match((await wall.get(location!)).text, /Во дворе стоит/);
  // Requests that are also wrong in another way.
  for (const start of ['GET //evil.example/ё HTTP/1.1', 'GET /ё ё HTTP/1.1', 'GET /ё', 'POST /ё HTTP/1.1'])
    assert.match(await sendRaw(wall.app, `${start}\r\nHost: wall\r\n\r\n`), /^HTTP\/1\.1 400 /, start);
});

const web = new URL('../../dist/web/', import.meta.url);

test('browsers load neither schemas nor descriptions of calls, but for those in the rows of the acts of keepers', () => {
  const { assets }: { assets: string[] } = JSON.parse(readFileSync(new URL('.vite/build.json', web), 'utf8'));
  const scripts = assets.filter((name) => name.endsWith('.js'));
  const ofActs = new Set(Object.values(keeperActs).map((act) => act?.call?.says));
  const sentences = callTable.map(({ says }) => says).filter((says) => says.length > 40 && !ofActs.has(says));
  const marks = ['~kind', 'additionalProperties', ...sentences];
  assert.ok(scripts.length > 3 && sentences.length > 20);
  for (const name of scripts) {
    const text = readFileSync(new URL(`assets/${name}`, web), 'utf8');
    for (const mark of marks) assert.ok(!text.includes(mark), `${name}: ${mark}`);
  }
});

/** Soft hyphens, no-break spaces, word joiners and zero-width spaces, also as escapes of JavaScript and HTML. */
const invisible = /[\u00a0\u00ad\u200b\u2060]|\\(?:x|u00|u\{0*)a[0d]|\\u\{?0*(?:200b|2060)|&(?:nbsp|shy|#160|#173);/i;

const around = (text: string): string | undefined => {
  const found = invisible.exec(text);
  return found ? text.slice(Math.max(0, found.index - 40), found.index + 40) : undefined;
};

const root = new URL('../../', import.meta.url);

function* textsIn(folder: string): Generator<[string, string]> {
  for (const file of readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true })) {
    const path = `${file.parentPath}/${file.name}`;
    if (file.isFile() && /\.(ts|tsx|md|css|js)$/.test(path) && !path.endsWith('.test.ts')) {
      yield [path, readFileSync(path, 'utf8')];
    }
  }
}

test('our texts contain no invisible characters, neither in the source nor in what is built', () => {
  const { assets } = JSON.parse(readFileSync(new URL('dist/web/.vite/build.json', root), 'utf8'));
  const names: string[] = assets.filter((name: string) => /\.(js|css)$/.test(name));
  const built = names.map((name) => [name, readFileSync(new URL(`dist/web/assets/${name}`, root), 'utf8')] as const);
  const texts = [
    ...built,
    ...['dist/ssr/', 'client/', 'contract/', 'server/', 'web/'].flatMap((it) => [...textsIn(it)]),
  ];
  assert.ok(built.length > 3 && texts.length > 500);
  for (const [path, text] of texts) assert.equal(around(text), undefined, path);
});

test('pages contain no invisible characters around the texts of people', async () => {
  await using wall = await openWall('sqlite');
  const seed = seedOf(wall.db);
  const id = await seed.person('boris_petrov');
  const [post] = await seed.posts([{ by: id, text: 'Чай — это не кофе: в 5 утра я пью 2 чашки и бегу к реке' }]);
  await seed.replies(post!, [{ by: id, text: 'И я — к реке' }]);
  const paths = [
    '/',
    '/discussed',
    '/best',
    `/posts/${post}`,
    '/users/boris_petrov',
    '/about',
    '/rules',
    '/privacy',
    '/api',
  ];
  for (const path of [...paths, '/search?q=чай', '/sign-in', '/nothing', '/settings', '/feed.xml']) {
    const { text } = await wall.get(path);
    assert.ok(text.length > 500);
    assert.equal(around(text), undefined, path);
  }
});
