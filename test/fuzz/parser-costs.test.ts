import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { normalizeEmail } from '#contract/email.ts';
import { excerpt, shortened, splitQuotations } from '#contract/text-parts.ts';
import { splitLinks } from '#contract/links.ts';
import { normalizeAbout, normalizeDisplayName } from '#contract/profile-text.ts';
import { normalizeLongText, normalizePostText, postTextLength } from '#contract/text.ts';
import { readJsonLines } from '../../server/commands/import/read-json-lines.ts';
import { readTelegram } from '../../server/commands/import/read-telegram.ts';
import { WrongFile } from '../../server/commands/import/source.ts';
import { parseQuery } from '../../server/features/search/query.ts';
import { clientNetwork } from '../../server/http/connections.ts';
import { encodingFor } from '../../server/http/response.ts';
import { addressOfRequest } from '../../server/http/request-guards.ts';
import { fieldsOf } from '../../server/pages/personal.ts';
import { tagsIn, wordsIn } from '#contract/lexemes.ts';
import { startProcessorClock } from '../kit/processor-time.ts';

interface Parser {
  /** Bytes of the larger input. */
  size: number;
  parse(input: string): unknown;
  /** Each text is repeated until the input has its size. `before` and `after` stand around the repetitions. */
  inputs: ReadonlyArray<string | readonly [before: string, repeated: string, after: string]>;
}

const kB = 1_024;

/** Made once for each text: making a large buffer costs more than twice as much as making half of it. */
const made = new Map<string, Buffer>();

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  const bytes = made.get(text) ?? Buffer.from(text);
  made.set(text, bytes);
  for (let at = 0; at < bytes.length; at += 64 * kB) yield bytes.subarray(at, at + 64 * kB);
}

async function importWith(read: typeof readTelegram, text: string): Promise<void> {
  try {
    // What is parsed is dropped at once: the cost of collecting garbage would otherwise grow with the size of the input.
    for await (const _ of read(chunksOf(text)));
  } catch (error) {
    if (!(error instanceof WrongFile)) throw error;
  }
}

const texts = ['слово ', 'a\u0301\u0345\u0360', '\n \n', '\u202e\u0001', 'e', '🙂', '\r\n', '   '];

/** Everything that parses what strangers send. `size` is the longest input that the parser may get, or the longest body of a request. */
const parsers: Record<string, Parser> = {
  'the fields of a form': {
    size: 200 * kB,
    parse: (body) => fieldsOf({ body } as FastifyRequest),
    inputs: [['text=', 'x', ''], ['text=', '%D0%B6', ''], ['text=', '%', ''], ['text=', '+', ''], '='],
  },
  'a text of a post': {
    size: 16 * kB - 200,
    parse: (text) => [normalizePostText(text), postTextLength(text)],
    inputs: texts,
  },
  'a long text': { size: 200 * kB, parse: normalizeLongText, inputs: texts },
  'a line of a profile': {
    size: 16 * kB - 200,
    parse: (text) => [normalizeDisplayName(text), normalizeAbout(text)],
    inputs: texts,
  },
  'an address': { size: 100 * kB, parse: normalizeEmail, inputs: ['a@', 'a.', '@', '.', ' ', ['a@', 'б.', 'рф']] },
  links: {
    size: 16 * kB,
    parse: splitLinks,
    inputs: [
      'https://a.b/ ',
      ['https://a.b/', '(', ''],
      ['https://a.b/', ')', ''],
      ['https://', 'a.', ''],
      '#a',
      '@a ',
      '#',
    ],
  },
  quotations: { size: 16 * kB, parse: splitQuotations, inputs: ['> a\n', '>', '\n', '> \n\n'] },
  'an excerpt': {
    size: 16 * kB,
    parse: (text) => [excerpt(text, 60), shortened(text)],
    inputs: ['слово ', 'a', '\n', '🙂'],
  },
  words: {
    size: 16 * kB,
    parse: (text) => [wordsIn(text), tagsIn(text)],
    inputs: ['слово ', 'a', '#a', 'e\u0301', '-'],
  },
  'a search': {
    size: 16 * kB,
    parse: parseQuery,
    inputs: ['"', '«', '«a', 'от:', 'с:2026-01-01 ', ' ', 'слово ', '"a" '],
  },
  // V8 parses JSON, so the inputs have no deep JSON.
  'lines of JSON': {
    size: 100 * kB,
    parse: (text) => importWith(readJsonLines, text),
    inputs: ['{"id":"1","author":"a","date":1500000000,"text":"т"}\n', '\n', '"', ['"', '\\"', '']],
  },
  'an export of Telegram': {
    size: 400 * kB,
    parse: (text) => importWith(readTelegram, text),
    inputs: [
      ['{"a": ', '[],"b": ', '0, "messages": []}'],
      ['{"messages": [', '{"id": 1, "type": "message", "text": "а"},', '{}]}'],
      ['{"messages": [', '[', ''],
      ['{"a": "', '\\"', '", "messages": []}'],
      ['{"messages":', ' ', '[]}'],
      '[',
      '{"messages":',
    ],
  },
  'an address of a page': { size: 16 * kB, parse: addressOfRequest, inputs: ['%', '%41', '%ff', '/a', 'a:', 'a://'] },
  'the address of a client': { size: 16 * kB, parse: clientNetwork, inputs: ['1.', '1:', ':', '::', '[', '%'] },
  'accepted encodings': {
    size: 16 * kB,
    parse: (accepted) => encodingFor({ length: 10 * kB }, accepted),
    inputs: [', ', 'br ', 'br;q=0,', ['br;q=0.', '0', ''], ['br;', '\t', '']],
  },
};

const filled = (input: Parser['inputs'][number], size: number): string => {
  const [before, repeated, after] = typeof input === 'string' ? ['', input, ''] : input;
  return before + repeated.repeat(Math.max(1, Math.round(size / Buffer.byteLength(repeated)))) + after;
};

const atMostTimes = 2.5;
/** The small input is doubled this often. Over several doublings a quadratic cost differs clearly from the effects of processor caches. */
const doublings = 3;
/** Processor time is counted in ticks: less than one counts as one. */
const tickMs = 4;
const measurableMs = 4 * tickMs;
const roundsAtMost = 20;
/** After this no further round begins. */
const patienceMs = 20_000;

/**
 * The factor by which the cost grows when the input doubles: 2 for a linear parser, 4 for a quadratic one. The same number of bytes
 * is parsed as one large input and as many small ones. The fastest of several runs counts, because other work only adds to a run.
 * The runs are repeated until the factor is low enough. The factor of a quadratic parser never becomes low enough.
 */
async function factorOf({ parse, size }: Parser, input: Parser['inputs'][number]): Promise<number> {
  const times = 2 ** doublings;
  const [small, large] = [filled(input, size / times), filled(input, size)];
  const least = { small: Infinity, large: Infinity };
  const factor = () => 2 * (least.large / least.small) ** (1 / doublings);
  const total = startProcessorClock();
  const costOf = async (text: string, repeats: number): Promise<number> => {
    const spent = startProcessorClock();
    for (let i = 0; i < repeats; i += 1) await parse(text);
    return Math.max(tickMs, spent());
  };
  let repeats = 1;
  while ((await costOf(small, repeats * times)) < measurableMs) repeats *= 2;
  for (let round = 1; round <= roundsAtMost; round += 1) {
    least.small = Math.min(least.small, await costOf(small, repeats * times));
    least.large = Math.min(least.large, await costOf(large, repeats));
    if (factor() <= atMostTimes || total() > patienceMs) break;
  }
  return factor();
}

for (const [name, parser] of Object.entries(parsers)) {
  test(`twice as much costs at most 2.5 times as much: ${name}`, async () => {
    for (const input of parser.inputs) {
      const factor = await factorOf(parser, input);
      assert.ok(factor <= atMostTimes, `${JSON.stringify(input)}: ${factor.toFixed(1)} times`);
    }
  });
}
