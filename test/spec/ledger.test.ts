import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ledger } from './ledger.ts';
import { type LineId, lineOf, specification } from './specification.ts';

const ids = Object.keys(specification) as LineId[];
const checked = ids.filter((id) => lineOf(id).places.length > 0);

test('a line without a check fails, in each place that it needs', async () => {
  const ledger = new Ledger();
  assert.equal(ledger.report([]).failed, checked.length);
  const others = checked.filter((id) => id !== '2.2');
  for (const place of ['phone', 'desk', 'HTTP'] as const) await ledger.checkIn(place)(others, () => {});
  await ledger.checkIn('phone')('2.2', () => {});
  const { passed, failed, notes } = ledger.report([]);
  assert.deepEqual([passed, failed], [ids.length - 1, 1]);
  assert.match(notes[0]!, /2\.2: .*Feed titled 'Стена':\non the desk: no check has proven it$/);
});

test('one failed check is enough, and so is a journey that breaks off', async () => {
  const ledger = new Ledger();
  for (const place of ['phone', 'desk', 'HTTP'] as const) await ledger.checkIn(place)(checked, () => {});
  assert.equal(ledger.report([]).failed, 0);
  await ledger.checkIn('desk')('2.2', () => assert.fail('gone'));
  assert.equal(ledger.report([]).failed, 1);
  assert.equal(ledger.report(['desk: reading broke off']).failed, 2);
});
