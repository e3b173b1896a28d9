import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ledger } from './ledger.ts';
import { type LineId, lineOf, specification } from './specification.ts';

const ids = Object.keys(specification) as LineId[];
const checked = ids.filter((id) => lineOf(id).places.length > 0);

const failuresIn = (ledger: Ledger) => ledger.outcomes().filter(({ error }) => error !== undefined);

test('a line without a check fails, in each place that it needs', async () => {
  const ledger = new Ledger();
  assert.equal(failuresIn(ledger).length, checked.length);
  const others = checked.filter((id) => id !== '2.2');
  for (const place of ['phone', 'desk', 'HTTP'] as const) await ledger.checkIn(place)(others, () => {});
  await ledger.checkIn('phone')('2.2', () => {});
  assert.equal(ledger.outcomes().length, ids.length);
  const [failure, ...more] = failuresIn(ledger);
  assert.deepEqual(more, []);
  assert.match(failure!.title, /2\.2: .*Feed titled 'Стена':$/);
  assert.equal(failure!.error, 'on the desk: no check has proven it');
});

test('one failed check is enough', async () => {
  const ledger = new Ledger();
  for (const place of ['phone', 'desk', 'HTTP'] as const) await ledger.checkIn(place)(checked, () => {});
  assert.deepEqual(failuresIn(ledger), []);
  await ledger.checkIn('desk')('2.2', () => assert.fail('gone'));
  assert.deepEqual(failuresIn(ledger), [
    { title: lineOf('2.2').section + ', 2.2: ' + lineOf('2.2').words, error: 'on the desk: gone' },
  ]);
});
