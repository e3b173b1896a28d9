import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '../../test/kit/engines.ts';
import { openWall, type Wall } from '../../test/kit/wall.ts';

interface Picture {
  src: string;
  sizes: string;
  purpose?: string;
  form_factor?: string;
}

interface Manifest {
  icons: Picture[];
  screenshots: Picture[];
  shortcuts: { name: string; icons: Picture[] }[];
}

const path = '/.well-known/security.txt';

test('security.txt names the contact for less than a year, and is missing without one', async () => {
  const settings = { PUBLIC_URL: 'https://wall.example', CONTACT: 'mailto:wall@example.org' };
  await using wall = await openWall('sqlite', settings);
  const { status, text, headers } = await wall.get(path);
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8']);
  const fields = new Map(
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/s) as [string, string]),
  );
  assert.equal(fields.get('Contact'), 'mailto:wall@example.org');
  assert.equal(fields.get('Canonical'), settings.PUBLIC_URL + path);
  const left = Date.parse(fields.get('Expires')!) / 1_000 - wall.clock.now;
  assert.ok(left > 150 * 86_400 && left < 365 * 86_400, `${left} s`);
  wall.clock.now += 300 * 86_400;
  assert.ok(!(await wall.get(path)).text.includes(fields.get('Expires')!));

  await using silent = await openWall('sqlite');
  assert.equal((await silent.get(path)).status, 404);
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

test('the manifest names pictures of the sizes that it says', async () => {
  await using wall = await openWall('sqlite');
  const { icons, screenshots, shortcuts } = JSON.parse((await wall.get('/manifest.webmanifest')).text) as Manifest;
  const raster = icons.filter(({ sizes }) => sizes !== 'any');
  assert.deepEqual(
    raster.map(({ sizes, purpose }) => `${sizes} ${purpose}`),
    ['192x192 any', '512x512 any', '192x192 maskable', '512x512 maskable'],
  );
  assert.deepEqual(
    screenshots.map(({ form_factor }) => form_factor),
    ['narrow', 'narrow', 'wide'],
  );
  assert.deepEqual(
    shortcuts.map(({ name }) => name),
    ['Новая запись', 'Уведомления', 'Поиск'],
  );
  const pictures = [
    ...raster,
    ...screenshots,
    ...shortcuts.flatMap((shortcut) => shortcut.icons),
    { src: '/apple-touch-icon.png', sizes: '180x180' },
    { src: '/favicon.ico', sizes: '32x32' },
    { src: '/share.png', sizes: '1200x630' },
  ];
  for (const { src, sizes } of pictures) assert.equal(await sizeOf(wall, src), sizes, src);
});

for (const engine of engines) {
  test(`the manifest describes the wall under its own name on ${engine}`, async () => {
    await using wall = await openWall(engine, { APP_NAME: 'Двор "на Заводской"' });
    const { status, text, headers } = await wall.get('/manifest.webmanifest');
    assert.deepEqual([status, headers['content-type']], [200, 'application/manifest+json; charset=utf-8']);
    const { icons, screenshots, shortcuts, ...manifest } = JSON.parse(text);
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
    const pictures = [
      ...icons,
      ...screenshots,
      ...shortcuts.flatMap((shortcut: { icons: object[] }) => shortcut.icons),
    ];
    for (const { src, type } of pictures) {
      const picture = await wall.get(src);
      assert.deepEqual([picture.status, picture.headers['content-type']], [200, type], src);
    }
    for (const { url } of shortcuts) assert.equal((await wall.get(url)).status, 200, url);
  });

  test(`what is shared is escaped in the form without scripts, and in no stored page on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const plain = await wall.get('/new');
    const shared = await wall.get(`/new?text=${encodeURIComponent('<script>alert(1)</script> привет')}`);
    assert.equal(plain.status, 200);
    assert.match(shared.text, /<textarea [^>]*>&lt;script&gt;alert\(1\)&lt;\/script&gt; привет<\/textarea>/);
    assert.ok(!shared.text.includes('<script>alert'));
    for (const page of [plain, shared]) assert.equal(page.headers['cache-control'], 'no-store, no-cache');
    assert.ok(!(await wall.get('/new')).text.includes('привет'));
    assert.match(plain.text, /<link rel="canonical" href="[^"]+:\d+\/"\/>/);
  });
}
