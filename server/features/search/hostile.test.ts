import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { engines } from '../../../test/kit/engines.ts';
import { openWall } from '../../../test/kit/wall.ts';

const operators = [
  '"',
  "'",
  '*',
  '^',
  '(',
  ')',
  ':',
  '-',
  '+',
  '{',
  '}',
  '\\',
  '&',
  '|',
  '!',
  '<->',
  ',',
  '%',
  '_',
  '§',
  '№',
  '~',
];
const syntax = [
  'AND',
  'OR',
  'NOT',
  'NEAR(',
  'words:',
  'rowid',
  'от:',
  'с:',
  'по:',
  '#',
  '--',
  '; drop table posts',
  '🔥',
  '\u0301',
];
const query = fc
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

for (const engine of engines) {
  test(`the page answers any query with a NUL on ${engine}`, async () => {
    await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
    await wall.post(await wall.person('anna_'), 'ёлка');
    for (const q of withNul) {
      assert.equal((await wall.get(`/search?q=${encodeURIComponent(q)}`)).status, 200, JSON.stringify(q));
    }
  });

  test(`any query is answered on ${engine}`, async () => {
    await using wall = await openWall(engine, { RATE_LIMITS: 'off', READS_PER_MINUTE: '100000' });
    await wall.post(await wall.person('anna_'), 'ёлка AND "words" 1');
    await fc.assert(
      fc.asyncProperty(query, async (q) => {
        const { status, json } = await wall.get(`/api/v1/posts/search?q=${encodeURIComponent(q)}`);
        assert.ok(status === 200 || (status === 400 && json.code === 'INVALID_REQUEST'), `${status}`);
      }),
      { numRuns: 300 },
    );
    const statusOf = async (address: string): Promise<number> =>
      (await wall.get(`/api/v1/posts/search${address}`)).status;
    for (const address of [
      '',
      '?q=',
      '?q=%00',
      `?q=${'a'.repeat(201)}`,
      '?q=a&q=b',
      '?q=a&cursor=x',
      '?q=a&limit=51',
    ]) {
      assert.equal(await statusOf(address), 400, address);
    }
    assert.equal(await statusOf(`?q=${encodeURIComponent('ё'.repeat(200))}`), 200);
    assert.deepEqual((await wall.get('/api/v1/posts/search?q=AND')).json.posts.length, 1);
  });
}
