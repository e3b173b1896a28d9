import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { stem } from '#contract/lexemes.ts';
import { inOtherLayout, parseQuery, type Query } from './query.ts';

function parsed(text: string): Query {
  const result = parseQuery(text);
  assert.ok(result.ok, text);
  return result.query;
}

const day = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1_000;

describe('a query', () => {
  it('has words, phrases, tags, an author and dates', () => {
    const query = parsed('ёлка «Красная площадь» от:@Anna_1 с:2026-01-01 по:2026-02-01 #Праздник');
    assert.deepEqual(query, {
      stems: [stem('елка')],
      phrases: [['красная', 'площадь']],
      tags: ['праздник'],
      author: 'Anna_1',
      from: day('2026-01-01'),
      until: day('2026-02-02'),
    });
  });

  it('may be an author or dates alone', () => {
    assert.deepEqual([parsed('от:anna_').stems, parsed('от:anna_').author], [[], 'anna_']);
    assert.deepEqual(
      [parsed('с:2026-01-01').from, parsed('по:2026-01-01').until],
      [day('2026-01-01'), day('2026-01-02')],
    );
  });

  it('takes incomplete operators as words', () => {
    assert.deepEqual(parsed('"открытая кавычка').phrases, []);
    assert.equal(parsed('с:вчера').stems.length, 2);
    assert.equal(parsed('от: кого').author, undefined);
    assert.deepEqual(parsed('Ёлка елка ЕЛКИ').stems, [stem('елка')]);
  });

  it('is refused when it asks for nothing, with a wrong date, or with too many words', () => {
    for (const text of ['', ' ', '"', '""', '«»', '#', '*** ( ) 🔥']) {
      assert.deepEqual(parseQuery(text), { ok: false, message: 'Введите слова, автора или даты.' }, text);
    }
    for (const text of ['ёлка с:2026-02-30', 'ёлка по:2026-13-01']) {
      const result = parseQuery(text);
      assert.ok(!result.ok && result.message.startsWith('Такой даты нет'), text);
    }
    const many = (count: number): string => Array.from({ length: count }, (_, i) => `слово${i}`).join(' ');
    assert.ok(parseQuery(many(20)).ok && !parseQuery(many(21)).ok);
  });
});

describe('the other keyboard layout', () => {
  it('is tried for a query in letters of one alphabet', () => {
    assert.equal(inOtherLayout('Ghbdtn vbh'), 'Привет мир');
    assert.equal(inOtherLayout('hjdyj ,s[ от:anna_ с:2026-01-01'), 'ровно бых от:anna_ с:2026-01-01');
    assert.equal(inOtherLayout('еыыы'), 'tsss');
    assert.equal(inOtherLayout('привет world'), undefined);
    assert.equal(inOtherLayout('12:30'), undefined);
  });
});

const operators = Array.from('"\'*^():-+{}\\&|!<,%_§№~');
const syntax = 'AND OR NOT NEAR( words: rowid от: с: по: # -- <-> 🔥 \u0301'.split(' ').concat('; drop table posts');
const anyQuery = fc
  .array(
    fc.oneof(fc.constantFrom(...operators, ...syntax, 'ёлка', '1'), fc.string({ unit: 'grapheme', maxLength: 8 })),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .chain((parts) => fc.constantFrom(parts.join(' '), parts.join('')))
  .filter((q) => q.isWellFormed() && !q.includes('\0') && Array.from(q).length <= 200);

const withNul = ['\0', 'ёлка\0', 'ёлка #1\0', '"ёлка\0 and"', 'ёлка от:anna_\0', 'ёлка от:\0', 'ёлка с:2026-01-0\0'];

onWalls({ RATE_LIMITS: 'off' })('the page answers any query with a NUL', async (wall) => {
  await wall.post(await wall.person('anna_'), 'ёлка');
  for (const q of withNul) {
    assert.equal((await wall.get(`/search?q=${encodeURIComponent(q)}`)).status, 200, JSON.stringify(q));
  }
});

onWalls({ RATE_LIMITS: 'off', READS_PER_MINUTE: '100000' })('any query is answered', async (wall) => {
  await wall.post(await wall.person('anna_'), 'ёлка AND "words" 1');
  await fc.assert(
    fc.asyncProperty(anyQuery, async (q) => {
      const { status, json } = await wall.get(`/api/v1/posts/search?q=${encodeURIComponent(q)}`);
      assert.ok(status === 200 || (status === 400 && json.code === 'INVALID_REQUEST'), `${status}`);
    }),
    { numRuns: 300 },
  );
  const statusOf = async (address: string): Promise<number> =>
    (await wall.get(`/api/v1/posts/search${address}`)).status;
  for (const address of ['', '?q=', '?q=%00', `?q=${'a'.repeat(201)}`, '?q=a&q=b', '?q=a&cursor=x']) {
    assert.equal(await statusOf(address), 400, address);
  }
  assert.equal(await statusOf(`?q=${encodeURIComponent('ё'.repeat(200))}`), 200);
  assert.deepEqual((await wall.get('/api/v1/posts/search?q=AND')).json.posts.length, 1);
});
