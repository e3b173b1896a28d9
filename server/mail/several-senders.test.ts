import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { device } from '../../test/kit/sign-in.ts';
import { engines, openFresh, openPlace } from '../../test/kit/engines.ts';
import { startMailServer } from '../../test/kit/smtp.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../db/database.ts';
import { makeSecrets } from '../secrets.ts';
import { queueMail } from './outbox.ts';
import { type Sender, startSender } from './sender.ts';
import { openTransport, type Transport } from './transport.ts';

const secrets = makeSecrets('one secret of thirty-two characters');
const content = { kind: 'code', purpose: 'login', code: '012345', ttlSeconds: 600, device };

const queue = (db: Database, recipient: string, now: number): Promise<void> =>
  db.tx((tx) =>
    queueMail(tx, {
      operationId: null,
      recipient,
      sealed: secrets.seal(JSON.stringify(content)),
      now,
      giveUpAt: now + 600,
    }),
  );

const senderOf = (db: Database, transport: Transport, clock: { now: number }): Sender =>
  startSender({
    db,
    secrets,
    transport,
    wall: { appName: 'Стена', publicUrl: 'http://localhost' },
    digestOf: async () => undefined,
    log: pino({ level: 'silent' }),
    now: () => clock.now,
  });

for (const engine of engines) {
  test(`a slow mail server gets each mail once from two processes, on ${engine}`, async () => {
    await using fresh = await openFresh(engine);
    const other = await openPlace(fresh.place);
    await using mail = await startMailServer();
    const clock = { now: 1_000 };
    const recipients = Array.from({ length: 24 }, (_, i) => `person_${i}@example.org`);
    for (const recipient of recipients) await queue(fresh.db, recipient, clock.now);
    let replies: Array<() => void> = [];
    mail.replyAfter(() => new Promise<void>((resolve) => replies.push(resolve)));
    const config = readConfig({ SMTP_URL: mail.url });
    const senders = [fresh.db, other].map((db) =>
      senderOf(
        db,
        openTransport(config, () => {}),
        clock,
      ),
    );
    const accepted = (): number => senders.reduce((sum, { tally }) => sum + tally.accepted, 0);
    while (accepted() < recipients.length) {
      if (replies.length > 0) {
        // The server takes four seconds for each mail.
        clock.now += 4;
        for (const sender of senders) sender.wake();
        await pause(100);
        const due = replies;
        replies = [];
        for (const reply of due) reply();
      }
      await pause(20);
    }
    const received = mail.received.flatMap(({ to }) => to);
    assert.deepEqual(received.toSorted(), recipients.toSorted());
    mail.replyAfter(async () => {});
    for (const reply of replies) reply();
    for (const sender of senders) await sender.close();
    await other.close();
  });

  test(`only the last process that took a mail records its outcome, on ${engine}`, async () => {
    await using fresh = await openFresh(engine);
    const clock = { now: 1_000 };
    await queue(fresh.db, 'anna@example.org', clock.now);
    const hanging = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const send = (): Promise<void> => {
      begun.resolve();
      return hanging.promise;
    };
    const slow = senderOf(fresh.db, { send, close: () => {} }, clock);
    await begun.promise;
    clock.now += 16;
    const quick = senderOf(fresh.db, { send: async () => {}, close: () => {} }, clock);
    while (quick.tally.accepted === 0) await pause(2);
    hanging.reject(Object.assign(new Error('try later'), { responseCode: 451 }));
    while (slow.tally.delayed === 0) await pause(2);
    const row = await fresh.db.read.selectFrom('outbox').select(['state', 'next_try_at']).executeTakeFirstOrThrow();
    assert.deepEqual(row, { state: 'accepted', next_try_at: null });
    await Promise.all([slow.close(), quick.close()]);
  });
}
