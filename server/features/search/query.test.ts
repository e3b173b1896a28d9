import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stem } from '../../search/stem.ts';
import { inOtherLayout } from './layout.ts';
import { parseQuery, type Query } from './query.ts';

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
