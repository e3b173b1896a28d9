import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { engines, freshStorage, openFresh, openStorage } from '../../test/kit/engines.ts';
import { device } from '../../test/kit/sign-in.ts';
import { startMailServer } from '../../test/kit/smtp.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../db/database.ts';
import { makeSecrets } from '../secrets.ts';
import { lockDueMails, queueMail } from './outbox.ts';
import { type MailSender, startSender } from './sender.ts';
import { openTransport, type Transport } from './transport.ts';

const secrets = makeSecrets('one secret of thirty-two characters');
const code = JSON.stringify({ kind: 'code', purpose: 'login', code: '012345', ttlSeconds: 600, device });
const began = 1_000;

/** Queues codes that are useless after ten minutes. */
const queue = (db: Database, recipients: readonly string[], sealed = secrets.seal(code)): Promise<void> =>
  db.tx(async (tx) => {
    const mail = { operationId: null, sealed, now: began, giveUpAt: began + 600 };
    for (const recipient of recipients) await queueMail(tx, { ...mail, recipient });
  });

interface Sending {
  send: Transport['send'];
  close?: Transport['close'];
  clock?: { now: number };
  lines?: string[];
}

const nothing = async () => undefined;

const senderOf = (db: Database, { send, close = () => {}, clock = { now: began }, lines = [] }: Sending): MailSender =>
  startSender({
    db,
    secrets,
    transport: { send, close },
    wall: { appName: 'Стена', publicUrl: 'http://localhost' },
    letters: { answers: nothing, digest: nothing, best: nothing, wall: nothing, file: nothing },
    log: pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }),
    now: () => clock.now,
  });

const tryLater = (): Error => Object.assign(new Error('try later'), { responseCode: 451 });

const stateOf = ({ read }: Database) =>
  read.selectFrom('outbox').select(['state', 'next_try_at']).executeTakeFirstOrThrow();

test('the log repeats why a mail was not accepted, without addresses, codes and links', async () => {
  await using fresh = await openFresh('sqlite');
  await queue(fresh.db, ['anna@example.org']);
  const lines: string[] = [];
  const response =
    '550 5.7.1 <anna@example.org>: 123456 in http://localhost/claim/x: blocked, see https://rbl.example/why';
  const send = async (): Promise<void> => {
    throw Object.assign(new Error(response), { responseCode: 550, command: 'DATA', response });
  };
  const sender = senderOf(fresh.db, { send, lines });
  while (sender.tally.refused === 0) await pause(2);
  await sender.close();
  const { answer } = JSON.parse(lines.join('')) as { answer: string };
  assert.equal(answer, '550 5.7.1 … … in … blocked, see https://rbl.example/why');
});

test('a mail that is not accepted is tried again after 5, 15 and 60 seconds, then every minute, until it is useless', async () => {
  await using fresh = await openFresh('sqlite');
  const { db } = fresh;
  const clock = { now: began };
  await queue(db, ['anna@example.org']);
  const tries: number[] = [];
  const send = async (): Promise<void> => {
    tries.push(clock.now);
    throw tryLater();
  };
  const sender = senderOf(db, { send, clock });
  for (let i = 1; ; i += 1) {
    while (sender.tally.delayed + sender.tally.abandoned < i) await pause(2);
    const { next_try_at: next } = await stateOf(db);
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
  assert.deepEqual(pauses, [5, 15, ...Array<number>(9).fill(60)]);
  assert.equal(sender.tally.abandoned, 1);
  assert.equal((await stateOf(db)).state, 'delayed');
});

test('each mail is locked for one of several processes', async (t) => {
  const { storage, remove } = await freshStorage('postgres');
  const processes = [await openStorage(storage), await openStorage(storage)] as const;
  t.after(async () => {
    for (const db of processes) await db.close();
    await remove();
  });
  await queue(processes[0], Array<string>(20).fill('anna@example.org'));
  const pollers = [...processes, ...processes, ...processes];
  const taken = await Promise.all(
    pollers.map((db) => lockDueMails(db, { now: began, leaseSeconds: 15, dueWithinSeconds: 120, atMost: 20 })),
  );
  assert.equal(taken.flat().length, 20);
});

for (const engine of engines) {
  test(`a slow mail server gets each mail once from two processes, on ${engine}`, async () => {
    await using fresh = await openFresh(engine);
    const other = await openStorage(fresh.storage);
    await using mail = await startMailServer();
    const clock = { now: began };
    const recipients = Array.from({ length: 24 }, (_, i) => `person_${i}@example.org`);
    await queue(fresh.db, recipients);
    let replies: Array<() => void> = [];
    mail.replyAfter(() => new Promise<void>((resolve) => replies.push(resolve)));
    const config = readConfig({ SMTP_URL: mail.url });
    const senders = [fresh.db, other].map((db) => senderOf(db, { ...openTransport(config, () => {}), clock }));
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
    const clock = { now: began };
    await queue(fresh.db, ['anna@example.org']);
    const hanging = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const send = (): Promise<void> => {
      begun.resolve();
      return hanging.promise;
    };
    const slow = senderOf(fresh.db, { send, clock });
    await begun.promise;
    clock.now += 16;
    const quick = senderOf(fresh.db, { send: async () => {}, clock });
    while (quick.tally.accepted === 0) await pause(2);
    hanging.reject(tryLater());
    while (slow.tally.delayed === 0) await pause(2);
    assert.deepEqual(await stateOf(fresh.db), { state: 'accepted', next_try_at: null });
    await Promise.all([slow.close(), quick.close()]);
  });

  test(`mails that cannot be decrypted are recorded as refused and logged once each, on ${engine}`, async () => {
    await using fresh = await openFresh(engine);
    const unreadable = 300;
    const foreign = makeSecrets('another secret of thirty-two characters').seal(code);
    await queue(fresh.db, Array<string>(unreadable).fill('anna@example.org'), foreign);
    await queue(fresh.db, ['boris@example.org']);
    const sent: string[] = [];
    const lines: string[] = [];
    const sender = senderOf(fresh.db, { send: async (recipient) => void sent.push(recipient), lines });
    while (sent.length === 0 || sender.tally.refused < unreadable) await pause(20);
    await sender.close();
    assert.deepEqual(sent, ['boris@example.org']);
    assert.deepEqual(sender.tally, { accepted: 1, delayed: 0, refused: unreadable, abandoned: 0 });
    assert.equal(lines.length, unreadable);
    assert.match(lines[0]!, /"mail":\d+.*cannot be decrypted/);
    assert.doesNotMatch(lines[0]!, /example\.org/);
  });
}
