import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { pino } from 'pino';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { tablesOf } from '../account/stored-tables.ts';

describe('the operator’s texts', () => {
  let folder: string;
  let logged: string[];
  /** The next look at the files, which would begin a second after the last. */
  let look: () => Promise<void>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pages-'));
    logged = [];
    const { setTimeout } = globalThis;
    mock.method(globalThis, 'setTimeout', (work: typeof look, ms: number, ...rest: unknown[]) => {
      if (work.name !== 'watch' || ms > 1_000) return setTimeout(work, ms, ...rest);
      look = work;
      return setTimeout(() => {});
    });
  });
  afterEach(async () => {
    mock.restoreAll();
    await rm(folder, { recursive: true });
  });

  const write = (name: string, text: string | Buffer): Promise<void> => writeFile(join(folder, name), text);
  const open = (settings: NodeJS.ProcessEnv = {}): Promise<Wall> =>
    openWall(
      'sqlite',
      { PAGES_DIR: folder, ...settings },
      pino({ level: 'warn' }, { write: (line) => logged.push(line) }),
    );

  async function htmlOf(markdown: string): Promise<string> {
    await write('about.md', `# Наш двор\n\n${markdown}`);
    await using wall = await open({ PUBLIC_URL: 'https://wall.example' });
    return (await wall.get('/api/v1/documents/about')).json.html;
  }

  /** A file that has changed since the last look may be half-written, so it is read at the second look. */
  async function lookTwice(): Promise<void> {
    await look();
    await look();
  }

  async function assertShown(wall: Wall, path: string, expected: RegExp): Promise<void> {
    await lookTwice();
    assert.match((await wall.get(path)).text, expected);
  }

  test('have at most ten levels of lists, which bounds the work of unfinished links', async () => {
    const depth =
      (await htmlOf(Array.from({ length: 30 }, (_, level) => `${'  '.repeat(level)}- a`).join('\n'))).split('<ul>')
        .length - 1;
    assert.equal(depth, 10);
  });

  test('have defaults that name the wall and its contact', async () => {
    await using wall = await open({ APP_NAME: 'Двор *пять*', CONTACT: 'mailto:a_b_c@example.org' });
    for (const [name, title] of Object.entries({ about: 'О стене', rules: 'Правила', privacy: 'Конфиденциальность' })) {
      const { status, json } = await wall.get(`/api/v1/documents/${name}`);
      assert.deepEqual([status, json.name, json.title], [200, name, title]);
      assert.match(json.html, /<a href="mailto:a_b_c@example.org">a_b_c@example.org<\/a>/);
      assert.doesNotMatch(json.html, /<h1|\{\{/);
      const page = await wall.get(`/${name}`);
      assert.equal(page.status, 200);
      assert.match(page.text, new RegExp(`<title>${title} - Двор \\*пять\\*</title>`));
      assert.match(page.text, new RegExp(`<link rel="canonical" href="[^"]+/${name}"/>`));
      assert.equal(page.text.match(/<h1/g)?.length, 1);
    }
    const { json, text } = await wall.get('/api/v1/documents/about');
    assert.match(json.html, /<p>Двор \*пять\* — открытая лента/);
    assert.match((await wall.get('/about')).text, /<meta name="description" content="Двор \*пять\* — открытая лента/);
    assert.equal((await wall.get('/api/v1/documents/about')).text, text);
  });

  test('are 404 when there are none: consent by default, and any other name', async () => {
    await using wall = await open();
    for (const name of ['consent', 'help', 'about.md', '..%2Fsecret', '__proto__']) {
      const { status, json } = await wall.get(`/api/v1/documents/${name}`);
      assert.deepEqual([status, json.code], [404, 'NOT_FOUND'], name);
    }
    assert.equal((await wall.get('/consent')).status, 404);
  });

  test('contain no raw HTML, no script and no image', async () => {
    const html = await htmlOf(
      [
        '<script>alert(1)</script> <b onclick="x()">да</b>',
        '<div\n onmouseover=x()>',
        '[a](javascript:alert%281%29) [b](JAVASCRIPT&colon;x) [c](data:text/html,x) [d](vbscript:x) [e](<java\tscript:x>)',
        '[f](file:///etc/passwd) [g](blob:x) <javascript:x>',
        '[h]: javascript:x\n\n[h]',
        '![план двора](https://evil.example/x.png) ![x](data:image/png;base64,AA)',
      ].join('\n\n'),
    );
    assert.doesNotMatch(html, /<(?!\/?(p|a)\b)/, html);
    for (const [, href] of html.matchAll(/href="([^"]*)/g)) {
      assert.equal(new URL(href!, 'https://wall.example').protocol, 'https:', html);
    }
    assert.match(html, /план двора/);
    assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  });

  test('lead to other sites without a recommendation', async () => {
    const html = await htmlOf(
      '[там](https://other.example/a) [тоже](//other.example/b) [тут](/rules) [сами](https://wall.example/about) [почта](mailto:a@b.ru)',
    );
    assert.match(html, /<a href="https:\/\/other.example\/a" rel="nofollow noopener">/);
    assert.match(html, /<a href="\/\/other.example\/b" rel="nofollow noopener">/);
    for (const href of ['/rules', 'https://wall.example/about', 'mailto:a@b.ru']) {
      assert.ok(html.includes(`<a href="${href}">`), href);
    }
  });

  test('have their headings below the title', async () => {
    const levels = async (markdown: string): Promise<string[]> => (await htmlOf(markdown)).match(/(?<=<)h\d/g) ?? [];
    assert.deepEqual(await levels('## Первый\n\n### Второй\n\n# Третий'), ['h3', 'h4', 'h2']);
    assert.deepEqual(await levels('### Первый\n\n#### Второй\n\n### Третий'), ['h2', 'h3', 'h2']);
    assert.deepEqual(await levels('# 1\n\n###### 6'), ['h2', 'h6']);
    await write('rules.md', 'Правил *нет*.\n\nСовсем.');
    await using wall = await open();
    const { json } = await wall.get('/api/v1/documents/rules');
    assert.deepEqual([json.title, json.summary], ['Правила', 'Правил нет.']);
  });

  test('introduce the wall in the sign above the feed with their first words, once there are any', async () => {
    const generic = /Лента коротких записей\. Читать может каждый\./;
    const intro = async (wall: Wall) =>
      /Чья это стена.*?<span>(.*?)<\/span><\/p>/.exec((await wall.get('/')).text)?.[1];
    await using wall = await open({ APP_NAME: 'Двор' });
    assert.match((await intro(wall))!, generic);
    const about = async () => (await wall.get('/api/v1/posts?aside=true')).json.aside.about;
    assert.equal(await about(), null);
    await write('about.md', '# О дворе\n\nСтена **дома 5** по\nулице [Мира](/rules): <b>новости</b>.\n\nА это дальше.');
    await assertShown(wall, '/', /Стена дома 5 по улице Мира: &lt;b&gt;новости&lt;\/b&gt;\./);
    assert.equal(await about(), 'Стена дома 5 по улице Мира: <b>новости</b>.');
    assert.doesNotMatch((await wall.get('/')).text, generic);
    assert.doesNotMatch((await wall.get('/')).text, /А это дальше/);
    await write('about.md', `# О дворе\n\n${'слово '.repeat(100)}`);
    await assertShown(wall, '/', /(слово ){20,26}слово…/);
    await rm(join(folder, 'about.md'));
    await assertShown(wall, '/', generic);
  });

  test('are shown on their pages and in the description as soon as they change', async () => {
    await using wall = await open();
    // The page is cached from the second request on.
    for (let turn = 0; turn < 3; turn += 1) await wall.get('/rules');
    await write('rules.md', '# Устав\n\nНе шуметь.');
    await assertShown(wall, '/rules', /<title>Устав - Стена<\/title>.*<meta name="description" content="Не шуметь."/);
    await write('next.md', '# Устав\n\nТолько не шуметь.');
    await rename(join(folder, 'next.md'), join(folder, 'rules.md'));
    await assertShown(wall, '/rules', /Только не шуметь/);
    await rm(join(folder, 'rules.md'));
    await assertShown(wall, '/rules', /<title>Правила - Стена/);
    assert.deepEqual(logged, []);
  });

  test('keep their last good version while the file cannot be used, and say so once', async () => {
    await write('rules.md', '# Устав');
    await using wall = await open();
    const bad = { empty: '', 'not UTF-8': Buffer.from([0xd0]), large: '#'.repeat(256 * 1024 + 1) };
    for (const [what, text] of Object.entries(bad)) {
      logged = [];
      await write('rules.md', text);
      for (const _ of [1, 2]) await lookTwice();
      assert.equal((await wall.get('/api/v1/documents/rules')).json.title, 'Устав', what);
      assert.equal(logged.length, 1, `${what}: ${logged.join('')}`);
      assert.match(logged[0]!, /rules\.md cannot be used: /);
    }
    await write('rules.md', '# Новый устав');
    await assertShown(wall, '/rules', /Новый устав/);
  });

  test('fall back to the default at the start, except for the consent', async () => {
    await write('rules.md', Buffer.from([0xff]));
    await using wall = await open();
    assert.equal((await wall.get('/api/v1/documents/rules')).json.title, 'Правила');
    assert.equal(logged.length, 1);
    await write('consent.md', Buffer.from([0xff]));
    await assert.rejects(open(), { name: 'ConfigError', message: /^\S+consent\.md cannot be used: [^\n]+$/ });
  });

  test('carry the hash of their file', async () => {
    await write('consent.md', '# Согласие\n\nСогласен.');
    await using wall = await open();
    const { json } = await wall.get('/api/v1/documents/consent');
    assert.equal(json.hash, hash('sha256', '# Согласие\n\nСогласен.'));
    assert.match((await wall.get('/')).text, new RegExp(`"consent":"${json.hash}"`));
    assert.equal((await wall.get('/consent')).status, 200);
  });
});

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const namesIn = (text: string): string[] => [...new Set([...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!))];
const texts = {
  'the text for readers': namesIn(read('defaults/privacy.md')),
  'the guide for operators': namesIn(/^\| Что .*?^\|.*?\n\n/ms.exec(read('../../../docs/guide/privacy.md'))![0]).filter(
    (name) => name === name.toLowerCase(),
  ),
};

for (const [text, named] of Object.entries(texts)) {
  test(`${text} on privacy names every table that holds personal data, and no other`, () => {
    assert.deepEqual(named.toSorted(), [...tablesOf(({ about }) => about.length > 0)].toSorted());
  });
}
