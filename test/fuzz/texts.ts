import assert from 'node:assert/strict';
import { excerpt, shortened, splitQuotations } from '#contract/text-parts.ts';
import { limits } from '#contract/limits.ts';
import { splitLinks } from '#contract/links.ts';
import { normalizeDisplayName } from '#contract/profile-text.ts';
import { codePoints, normalizeLongText, normalizePostText, postTextLength } from '#contract/text.ts';
import { readJsonLines } from '../../server/commands/import/read-json-lines.ts';
import { readTelegram } from '../../server/commands/import/read-telegram.ts';
import { type SourceItem, WrongFile } from '../../server/commands/import/source.ts';
import { makeRenderer } from '../../server/features/wall-texts/operator-texts.ts';
import type { Subject } from './guided.ts';

export const text: Subject = {
  seeds: [
    'Привет, @anna_petrova! Смотрите https://пример.рф/путь?a=1#b, (http://example.org/a_(b)).',
    '> цитата\n> ещё\n\nответ #слово #ещё_слово',
    'e\u0301\u0302\u0303'.repeat(20),
    'Строка\n\n\n\n\nещё\r\nи ещё\tи ещё',
  ],
  words: [...`https:// http:// @anna # .рф xn-- :// хаха [::1] :80`.split(' '), '> ', '\n', '\u0301', '\r\n'],
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
    shortened(stored.text);
  },
};

const render = makeRenderer('https://wall.example');
const tag =
  /<\/?(?:p|h[2-6]|ul|ol|li|a|em|strong|s|code|pre|blockquote|hr|br|table|thead|tbody|tr|th|td)(?: (?:href|title|rel|class|style|start)="[^"<>]*")*>/g;

export const markdown: Subject = {
  seeds: [
    '# Правила\n\nПишите **вежливо**, [ссылка](https://example.org "имя") и `код`.\n\n1. раз\n2. два\n\n- три\n\n> цитата',
    '![картинка](https://example.org/a.png)\n\n<script>alert(1)</script>\n\n| а | б |\n|---|:-:|\n| 1 | 2 |',
    '[a]: javascript:alert(1)\n[a] <https://example.org> <a@example.org>\n\n```js\nкод\n```\n\n***\n\nзаголовок\n===',
  ],
  words: [
    ...`javascript: data:text/html, mailto: ]( < > " &#x6a; ~~ | ![`.split(' '),
    'java\tscript:',
    '\\',
    '```',
    '\n\n',
    '    ',
  ],
  run(raw) {
    const { html, title } = render(raw);
    assert.doesNotMatch(html.replaceAll(tag, ''), /[<>]/, 'only known tags and attributes');
    for (const [, href] of html.matchAll(/ href="([^"]*)"/g)) {
      const address = href!.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
      assert.match(new URL(address, 'https://wall.example').protocol, /^(https?|mailto|tel):$/);
    }
    for (const [, style] of html.matchAll(/ style="([^"]*)"/g))
      assert.match(style!, /^text-align:(left|right|center)$/);
    assert.notEqual(title, '');
  },
};

const message =
  '{"id": 1, "type": "message", "date": "2020-01-01T10:00:00", "date_unixtime": "1577862000", "from": "Анна", "from_id": "user1", "text": ["а", {"type": "bold", "text": "б"}], "reply_to_message_id": 2, "reactions": [{"emoji": "👍", "recent": [{"from": "Б", "from_id": "user2"}]}]}';

export const imported: Subject = {
  seeds: [
    `{"name": "Двор", "type": "private_group", "messages": [${message}, {"id": 2, "type": "service"}]}`,
    `{"messages": [{"id": 3, "type": "message", "date": "2020", "poll": {"question": "?", "answers": [{"text": "да"}]}, "forwarded_from": null, "media_type": "sticker", "photo": "x"}]}`,
    '{"id":"1","author":"a","name":"Анна","date":1500000000,"text":"т","reply_to":null,"likes":["b"]}\n{"id":"2","author":"b","date":"2020-01-01","text":"о","reply_to":"1"}',
  ],
  words: [
    ...`{ } [ ] , null 1e999 -1`.split(' '),
    '"text": ',
    '"id": ',
    '"messages": [',
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
