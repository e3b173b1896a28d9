import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { device } from '../../test/kit/sign-in.ts';
import { openFresh } from '../../test/kit/engines.ts';
import { makeSecrets } from '../secrets.ts';
import { queueMail } from './outbox.ts';
import { startSender } from './sender.ts';

const ttlSeconds = 600;

test('a mail that is not accepted is tried again after 5, 15 and 60 seconds, then every minute, until it is useless', async () => {
  await using fresh = await openFresh('sqlite');
  const secrets = makeSecrets('one secret of thirty-two characters');
  const clock = { now: 1_000 };
  const content = { kind: 'code', purpose: 'login', code: '012345', ttlSeconds, device };
  await fresh.db.tx((tx) =>
    queueMail(tx, {
      operationId: null,
      recipient: 'anna@example.org',
      sealed: secrets.seal(JSON.stringify(content)),
      now: clock.now,
      giveUpAt: clock.now + ttlSeconds,
    }),
  );
  const tries: number[] = [];
  const sender = startSender({
    db: fresh.db,
    secrets,
    transport: {
      async send() {
        tries.push(clock.now);
        throw Object.assign(new Error('try later'), { responseCode: 451 });
      },
      close: () => {},
    },
    wall: { appName: 'Стена', publicUrl: 'http://localhost' },
    digestOf: async () => undefined,
    log: pino({ level: 'silent' }),
    now: () => clock.now,
  });
  const finished = () => sender.tally.delayed + sender.tally.abandoned;
  const row = () => fresh.db.read.selectFrom('outbox').select(['next_try_at', 'state']).executeTakeFirstOrThrow();
  for (let i = 1; ; i += 1) {
    while (finished() < i) await pause(2);
    const { next_try_at: next } = await row();
    if (next === null) break;
    // One second early nothing is sent.
    clock.now = next - 1;
    sender.wake();
    await pause(20);
    assert.equal(tries.length, i);
    clock.now = next;
    sender.wake();
  }
  await sender.close();
  const pauses = tries.slice(1).map((at, i) => at - tries[i]!);
  assert.deepEqual(pauses, [5, 15, 60, 60, 60, 60, 60, 60, 60, 60, 60]);
  assert.equal(sender.tally.abandoned, 1);
  assert.equal((await row()).state, 'delayed');
});
