import assert from 'node:assert/strict';
import { excerpt, folded } from '#contract/excerpt.ts';
import { limits } from '#contract/limits.ts';
import { splitLinks } from '#contract/links.ts';
import { normalizeDisplayName } from '#contract/profile-text.ts';
import { splitQuotations } from '#contract/quotations.ts';
import { codePoints, normalizeLongText, normalizePostText, postTextLength } from '#contract/text.ts';
import { readJsonLines } from '../../server/commands/import/read-json-lines.ts';
import { readTelegram } from '../../server/commands/import/read-telegram.ts';
import { type SourceItem, WrongFile } from '../../server/commands/import/source.ts';
import { makeRenderer } from '../../server/features/wall-texts/markdown.ts';
import { openPlain } from '../kit/plain/open-plain.ts';
import { plainPaths } from '../kit/plain/pages.ts';
import { openTextBrowser } from '../kit/plain/text-browser.ts';
import { openWall, type Wall } from '../kit/wall.ts';
import type { Subject } from './guided.ts';

/** Each is opened when it is its turn; `cleanup` closes what it needs. */
export const subjects: Readonly<Record<string, (cleanup: AsyncDisposableStack) => Subject | Promise<Subject>>> = {
  text: () => text,
  markdown: () => markdown,
  import: () => imported,
  search: async (cleanup) =>
    readsWith(await filledWall(cleanup), ['/api/v1/posts/search?limit=N&q=', '/search?q='], searches),
  cursor: async (cleanup) => readsWith(await filledWall(cleanup), lists, cursors),
  forms,
};

const text: Subject = {
  seeds: [
    'Привет, @anna_petrova! Смотрите https://пример.рф/путь?a=1#b, (http://example.org/a_(b)).',
    '> цитата\n> ещё\n\nответ #слово #ещё_слово',
    'e\u0301\u0302\u0303'.repeat(20),
    'Строка\n\n\n\n\nещё\r\nи ещё\tи ещё',
  ],
  words: [
    'https://',
    'http://',
    '@anna',
    '#',
    '> ',
    '\n',
    '.рф',
    'xn--',
    '://',
    '\u0301',
    '\r\n',
    'хаха',
    '[::1]',
    ':80',
  ],
  run(raw) {
    const name = normalizeDisplayName(raw);
    if (name.ok && name.text !== null)
      assert.deepEqual(normalizeDisplayName(name.text), name, 'a name is normalized once');
    const long = normalizeLongText(raw);
    if (long !== undefined) assert.equal(normalizeLongText(long), long, 'a long text is normalized once');
    const stored = normalizePostText(raw);
    if (!stored.ok) return;
    assert.deepEqual(normalizePostText(stored.text), stored, 'a text is normalized once');
    const length = codePoints(stored.text);
    assert.ok(length <= limits.postLength && length === postTextLength(raw), 'its length is counted alike');
    const links = splitLinks(stored.text);
    assert.equal(links.map((part) => part.text).join(''), stored.text);
    for (const { href } of links)
      if (href !== undefined) assert.match(href, /^(https?:\/\/[^\s<>"]+|\/[^\s<>"/][^\s<>"]*)$/);
    assert.equal(
      splitQuotations(stored.text)
        .map((block) => block.text)
        .join(''),
      stored.text,
    );
    assert.ok(excerpt(stored.text, 100).length <= 101);
    folded(stored.text);
  },
};

const render = makeRenderer('https://wall.example');
const tag =
  /<\/?(?:p|h[2-6]|ul|ol|li|a|em|strong|s|code|pre|blockquote|hr|br|table|thead|tbody|tr|th|td)(?: (?:href|title|rel|class|style|start)="[^"<>]*")*>/g;

const markdown: Subject = {
  seeds: [
    '# Правила\n\nПишите **вежливо**, [ссылка](https://example.org "имя") и `код`.\n\n1. раз\n2. два\n\n- три\n\n> цитата',
    '![картинка](https://example.org/a.png)\n\n<script>alert(1)</script>\n\n| а | б |\n|---|:-:|\n| 1 | 2 |',
    '[a]: javascript:alert(1)\n[a] <https://example.org> <a@example.org>\n\n```js\nкод\n```\n\n***\n\nзаголовок\n===',
  ],
  words: [
    'javascript:',
    'java\tscript:',
    'data:text/html,',
    'mailto:',
    '](',
    '<',
    '>',
    '"',
    '&#x6a;',
    '\\',
    '```',
    '~~',
    '|',
    '![',
    '\n\n',
    '    ',
  ],
  run(raw) {
    const { html, title, summary } = render(raw);
    assert.doesNotMatch(html.replaceAll(tag, ''), /[<>]/, 'only known tags and attributes');
    for (const [, href] of html.matchAll(/ href="([^"]*)"/g)) {
      const address = href!.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
      assert.match(new URL(address, 'https://wall.example').protocol, /^(https?|mailto|tel):$/);
    }
    for (const [, style] of html.matchAll(/ style="([^"]*)"/g))
      assert.match(style!, /^text-align:(left|right|center)$/);
    assert.equal(typeof summary, 'string');
    assert.notEqual(title, '');
  },
};

const message =
  '{"id": 1, "type": "message", "date": "2020-01-01T10:00:00", "date_unixtime": "1577862000", "from": "Анна", "from_id": "user1", "text": ["а", {"type": "bold", "text": "б"}], "reply_to_message_id": 2, "reactions": [{"emoji": "👍", "recent": [{"from": "Б", "from_id": "user2"}]}]}';

const imported: Subject = {
  seeds: [
    `{"name": "Двор", "type": "private_group", "messages": [${message}, {"id": 2, "type": "service"}]}`,
    `{"messages": [{"id": 3, "type": "message", "date": "2020", "poll": {"question": "?", "answers": [{"text": "да"}]}, "forwarded_from": null, "media_type": "sticker", "photo": "x"}]}`,
    '{"id":"1","author":"a","name":"Анна","date":1500000000,"text":"т","reply_to":null,"likes":["b"]}\n{"id":"2","author":"b","date":"2020-01-01","text":"о","reply_to":"1"}',
  ],
  words: [
    '"text": ',
    '"id": ',
    '"messages": [',
    '{',
    '}',
    '[',
    ']',
    ',',
    'null',
    '1e999',
    '-1',
    '"\\ud800"',
    '"from_id": 5',
    '"date_unixtime": ',
    '\n',
    '\\"',
  ],
  async run(raw) {
    const bytes = Buffer.from(raw);
    for (const read of [readJsonLines, readTelegram]) {
      const whole = await itemsOf(read, [bytes]);
      assert.deepEqual(await itemsOf(read, pieces(bytes, 7)), whole, 'wherever the file is cut');
      for (const item of typeof whole === 'string' ? [] : whole)
        assert.ok('skipped' in item || isSound(item), JSON.stringify(item));
    }
  },
};

/** The message of a refused file instead of its items. */
async function itemsOf(read: typeof readTelegram, chunks: Buffer[]): Promise<SourceItem[] | string> {
  try {
    return await Array.fromAsync(read(streamOf(chunks)));
  } catch (error) {
    if (error instanceof WrongFile) return error.message;
    throw error;
  }
}

async function* streamOf(chunks: Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

const pieces = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));

const isSound = (item: Exclude<SourceItem, { skipped: string }>): boolean =>
  typeof item.id === 'string' && typeof item.text === 'string' && Number.isInteger(item.at) && item.author.key !== '';

const searches = {
  seeds: ['ёлка "точная фраза" от:anna_petrova с:2023-01-01 по:2030-02-01 #слово', 'хлеб OR заквас*', '№ 1 «ёлка» §'],
  words: [
    '"',
    '«',
    '»',
    'от:',
    'с:',
    'по:',
    '#',
    '*',
    ':',
    '(',
    'NEAR(',
    'OR ',
    ' - ',
    '2023-02-29',
    'ёлка',
    "'",
    '\\',
  ],
};
const cursors = {
  seeds: ['a1', 'c2', 'b1z', '1', 'c1&limit=5', 'a1&page=2', '&around=2', '2&order=oldest&depth=3', 'c1&before=c2'],
  words: [
    '&limit=',
    '&page=',
    '&before=',
    '&order=oldest',
    '&around=',
    '&cursor=',
    '%00',
    '-1',
    '99999999999999999999',
    'zzzzzzzzzzzzz',
    'NaN',
    '[]',
    '%',
  ],
};
const lists = [
  '/api/v1/posts?limit=N&cursor=',
  '/api/v1/posts/1/thread?cursor=',
  '/api/v1/posts/1/replies?limit=N&cursor=',
  '/api/v1/posts?userId=1&cursor=',
  '/api/v1/posts/discussed?limit=N&cursor=',
  '/?cursor=',
  '/posts/1?cursor=',
  '/users/anna_petrova?cursor=',
];

async function filledWall(cleanup: AsyncDisposableStack): Promise<Wall> {
  const wall = cleanup.use(await openWall('sqlite', { RATE_LIMITS: 'off', READS_PER_MINUTE: '100000000' }));
  const anna = await wall.person('anna_petrova');
  const first = await wall.post(anna, 'Ёлка и хлеб: точная фраза #слово');
  for (let i = 0; i < 60; i += 1) await wall.reply(anna, first, `ответ ${i} про закваску`);
  return wall;
}

let turn = 0;

/** Each input is a part of the address of a few pages and calls. A changing number keeps responses out of the cache. */
const readsWith = (
  wall: Wall,
  addresses: readonly string[],
  { seeds, words }: Pick<Subject, 'seeds' | 'words'>,
): Subject => ({
  seeds,
  words,
  async run(raw) {
    turn += 1;
    for (const address of addresses.map((one) => one.replace('=N', `=${1 + (turn % 50)}`))) {
      const { status, text: body } = await wall.get(encodeURI((address + raw).toWellFormed()));
      assert.ok(status < 500, `${address} ${status} ${body}`);
      if (address.startsWith('/api') && status >= 400) assert.match(body, /^\{"code":"[A-Z_]+","message":".*[а-яё]/i);
    }
  },
});

/** An input is the number of a page without scripts, and the body of a form sent to it. */
async function forms(cleanup: AsyncDisposableStack): Promise<Subject> {
  const plain = cleanup.use(await openPlain('sqlite', { READS_PER_MINUTE: '100000000' }));
  const { seed, author, postId } = plain.world;
  const browser = openTextBrowser(plain.url);
  const paths = ['/sign-in', ...plainPaths({ own: postId, other: postId, name: author.name })];
  let entered = 0;

  async function enter(): Promise<void> {
    entered += 1;
    const name = `owner_${entered}`;
    const id = await seed.person(name);
    await seed.appoint({ id, name }, 'owner');
    browser.cookies.clear();
    browser.cookies.set('session', (await seed.session(id)).cookie);
  }

  await enter();
  const seeds: string[] = [];
  for (const [index, path] of paths.entries()) {
    await browser.open(path);
    for (const form of browser.forms()) seeds.push(`${index} ${form}`);
  }
  return {
    seeds,
    words: [
      '&',
      '=',
      '%00',
      '%ED%A0%80',
      '%',
      '+',
      'act=',
      'text=',
      '&id=',
      'on',
      '-1',
      '__proto__=1',
      '&text=&text=',
      '%D1%8F',
      author.name,
    ],
    async run(raw) {
      const [, index = '0', body = ''] = /^(\d*) ?([^]*)$/.exec(raw) ?? [];
      const path = paths[Number(index) % paths.length] ?? paths[0]!;
      const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
      const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
      const response = await fetch(plain.url + path, { method: 'POST', redirect: 'manual', headers, body });
      const page = await response.text();
      assert.ok(response.status < 500, `${path} ${response.status} ${page.slice(0, 300)}`);
      if (response.headers.get('location')?.startsWith('/sign-in')) await enter();
    },
  };
}
