import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { type Engine, engines, openFresh, openStorage } from '../../test/kit/engines.ts';
import { device } from '../../test/kit/sign-in.ts';
import { startMailServer } from '../../test/kit/smtp.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../db/database.ts';
import { makeSecrets } from '../secrets.ts';
import { readMail } from './mail-state.ts';
import { type QueuedMail, queueMail, queueNotice } from './outbox.ts';
import { startSender } from './sender.ts';
import { openTransport, type Transport } from './transport.ts';

const secrets = makeSecrets('one secret of thirty-two characters');
const [minute, hour, day] = [60, 3_600, 24 * 3_600];
const began = 1_700_000_000 - (1_700_000_000 % hour);
const spam = '554 5.7.1 Message rejected under suspicion of SPAM';

type Kind = NonNullable<QueuedMail['kind']>;

const contents: Record<Kind, object> = {
  code: { kind: 'code', purpose: 'login', code: '012345', ttlSeconds: 600, device },
  notice: { kind: 'guessed', at: began },
  answers: { kind: 'answers', userId: 1, rootId: 1, after: 0 },
  digest: { kind: 'digest', userId: 1 },
  best: { kind: 'best', userId: 1 },
  wall: { kind: 'wall', userId: 1 },
  file: { kind: 'file', userId: 1 },
};

/** What a mail server replies after the content of a mail; undefined if it takes the mail. */
type Reply = (to: string) => string | undefined;

interface Mailing {
  lettersPerDay?: number;
  reply?: Reply;
  transport?: () => Transport;
  /** Whether there is something to tell in the letters that people subscribe to. */
  hasNews?: (to: string) => boolean;
}

/** An outbox, a clock, and a mail server that remembers the recipients that it was asked for and those whose mail it has taken. */
async function openMailing(engine: Engine, { lettersPerDay, reply, transport, hasNews = () => true }: Mailing = {}) {
  const fresh = await openFresh(engine);
  const clock = { now: began };
  const [asked, taken, lines]: [string[], string[], string[]] = [[], [], []];
  const send: Transport['send'] = async (to) => {
    asked.push(to);
    const response = reply?.(to);
    if (response === undefined) return void taken.push(to);
    const responseCode = Number(response.slice(0, 3));
    throw Object.assign(new Error(response), { response, responseCode, command: 'DATA' });
  };
  const letter = { subject: 'Письмо', paragraphs: [], appName: 'Стена' };
  /** A process looks once for due mails, and tries at most four of them. Resolves to the number of mails that it has settled or delayed. */
  const look = async (db: Database = fresh.db): Promise<number> => {
    const written = async ({ userId }: { userId: number }) => {
      const to = recipients.get(userId)!;
      return hasNews(to) ? { recipient: to, letter } : undefined;
    };
    const sender = startSender({
      db,
      secrets,
      transport: transport?.() ?? { send, close: () => {} },
      lettersPerDay,
      wall: { appName: 'Стена', publicUrl: 'http://localhost' },
      letters: { answers: written, digest: written, best: written, wall: written, file: written },
      log: pino({ level: 'error' }, { write: (line: string) => lines.push(line) }),
      now: () => clock.now,
    });
    // The sender looks once before it ends.
    await sender.close();
    return Object.values(sender.tally).reduce((sum, count) => sum + count);
  };
  const recipients = new Map<number, string>();
  return {
    ...fresh,
    clock,
    asked,
    taken,
    lines,
    look,
    /** Looks until there is nothing to do. */
    async lookOn(): Promise<void> {
      while ((await look()) > 0);
    },
    async queue(kind: Kind, ...names: string[]): Promise<void> {
      await fresh.db.tx(async (tx) => {
        for (const name of names) {
          const userId = recipients.size + 1;
          const recipient = `${name}@example.org`;
          recipients.set(userId, recipient);
          const sealed = secrets.seal(
            JSON.stringify({ ...contents[kind], ...('userId' in contents[kind] && { userId }) }),
          );
          const mail = { recipient, sealed, now: clock.now };
          if (kind === 'code')
            await queueMail(tx, { ...mail, kind, operationId: `${name}${userId}`, giveUpAt: clock.now + 600 });
          else await queueNotice(tx, kind === 'notice' ? mail : { ...mail, kind });
        }
      });
    },
    mail: () => readMail(fresh.db, { smtpUrl: 'smtp://mail', lettersPerDay }, clock.now),
    async waiting(): Promise<number> {
      return (await fresh.db.read.selectFrom('outbox').select('id').where('next_try_at', 'is not', null).execute())
        .length;
    },
  };
}

const named = (name: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${name}${i}`);
const kindsIn = (recipients: readonly string[]): string => recipients.map((to) => to.replace(/\d*@.*/, '')).join(' ');
const four = (name: string): string => Array<string>(4).fill(name).join(' ');

for (const engine of engines) {
  test(`codes are sent first, then notices, letters with notifications, and the best posts, on ${engine}`, async () => {
    await using mailing = await openMailing(engine);
    for (const kind of ['best', 'digest', 'notice', 'code'] as const) {
      await mailing.queue(kind, ...named(kind, 4));
      mailing.clock.now += 1;
    }
    await mailing.lookOn();
    assert.equal(kindsIn(mailing.taken), ['code', 'notice', 'digest', 'best'].map(four).join(' '));
    assert.equal((await mailing.mail()).today, null);
  });

  test(`a quarter of the letters of a day is kept for codes, and what has no room goes later, on ${engine}`, async () => {
    await using mailing = await openMailing(engine, { lettersPerDay: 8 });
    await mailing.queue('digest', ...named('digest', 9));
    await mailing.queue('code', 'code');
    await mailing.lookOn();
    assert.equal(kindsIn(mailing.taken), `code ${Array(5).fill('digest').join(' ')}`);
    assert.deepEqual((await mailing.mail()).today, { letters: 6, limit: 8, for_codes: 2 });
    await mailing.queue('code', ...named('code', 4));
    mailing.clock.now += hour - 1;
    await mailing.queue('code', ...named('late', 4));
    await mailing.lookOn();
    assert.equal(kindsIn(mailing.taken.slice(6)), 'late late');
    assert.deepEqual((await mailing.mail()).today, { letters: 8, limit: 8, for_codes: 2 });

    mailing.clock.now = began + day - 1;
    await mailing.lookOn();
    assert.equal(mailing.taken.length, 8, 'less than 24 hours later');
    mailing.clock.now = began + day + hour;
    await mailing.lookOn();
    assert.equal(kindsIn(mailing.taken.slice(8)), four('digest'));
    assert.equal(new Set(mailing.taken).size, 12);
    assert.equal(await mailing.waiting(), 0);
    assert.deepEqual((await mailing.mail()).today, { letters: 4, limit: 8, for_codes: 2 });
  });

  test(`letters that the mail server has not taken, or that have nothing to tell, use no room, on ${engine}`, async () => {
    let response: string | undefined = '451 4.3.0 Temporary lookup failure';
    const hasNews = (to: string): boolean => to !== 'silent@example.org';
    await using mailing = await openMailing(engine, { lettersPerDay: 8, reply: () => response, hasNews });
    await mailing.queue('digest', 'silent', ...named('digest', 6));
    for (let i = 0; i < 3; i += 1) {
      await mailing.lookOn();
      mailing.clock.now += minute;
    }
    assert.ok(mailing.asked.length > 8);
    assert.equal((await mailing.mail()).today?.letters, 0);
    response = undefined;
    await mailing.lookOn();
    assert.equal(new Set(mailing.taken).size, 6);
    assert.equal((await mailing.mail()).today?.letters, 6);
  });

  test(`what another process takes between the look and the lock uses room, too, on ${engine}`, async () => {
    await using mailing = await openMailing(engine, { lettersPerDay: 4 });
    const { db } = mailing;
    let isFirst = true;
    const racing = {
      read: db.read,
      tx: async (work: Parameters<Database['tx']>[0]) => {
        if (isFirst) {
          isFirst = false;
          await mailing.queue('code', 'code');
          await mailing.look();
        }
        return db.tx(work);
      },
    } as Database;
    await mailing.queue('notice', ...named('notice', 4));
    await mailing.look(racing);
    await mailing.lookOn();
    const { today } = await mailing.mail();
    assert.deepEqual([kindsIn(mailing.asked.toSorted()), today!.letters], ['code notice notice', 3]);
  });

  test(`a letter is not queued while another one of its kind waits for the person, on ${engine}`, async () => {
    await using mailing = await openMailing(engine);
    await mailing.queue('digest', 'anna', 'anna');
    await mailing.queue('best', 'anna');
    await mailing.queue('notice', 'anna', 'anna');
    assert.equal(await mailing.waiting(), 4);
    await mailing.lookOn();
    await mailing.queue('digest', 'anna');
    assert.equal(await mailing.waiting(), 1);
  });

  test(`after a refusal that speaks of spam one code in ten minutes is sent for an hour, by all processes, on ${engine}`, async () => {
    let response: string | undefined = spam;
    await using mailing = await openMailing(engine, { reply: () => response });
    await using other = await openStorage(mailing.storage).then((db) => ({
      db,
      [Symbol.asyncDispose]: () => db.close(),
    }));
    const { clock, asked, taken } = mailing;
    const lookAll = async (): Promise<void> => {
      while ((await Promise.all([mailing.look(), mailing.look(other.db)])).some((settled) => settled > 0));
    };
    await mailing.queue('notice', 'first');
    await mailing.lookOn();
    const heldUntil = began + hour;
    const { state, reason, said, held_until: until } = await mailing.mail();
    assert.deepEqual([state, said, until], ['refused', spam, heldUntil]);
    assert.match(reason!, /слишком много или что они похожи на спам\. .*попросите/);
    assert.equal(await mailing.waiting(), 1, 'the notice waits');
    const [line, ...others] = mailing.lines;
    assert.match(line!, /"until":"2023-11-14T23:00:00.000Z".*only one code in ten minutes/);
    assert.deepEqual(others, []);

    response = undefined;
    await mailing.queue('notice', ...named('notice', 3));
    for (let i = 1; i < 60; i += 1) {
      clock.now = began + i * minute;
      await mailing.queue('code', `code${i}`);
      await lookAll();
    }
    assert.deepEqual(
      taken,
      [10, 20, 30, 40, 50].map((i) => `code${i}@example.org`),
    );
    assert.equal((await mailing.mail()).state, 'refused', 'codes that were taken end nothing');

    // After the hour one letter is tried. It is refused, and the next hour begins.
    response = spam;
    clock.now = began + hour;
    await lookAll();
    assert.equal(asked.length, 7);
    assert.equal((await mailing.mail()).held_until, clock.now + hour);
    assert.equal(mailing.lines.length, 2);

    response = undefined;
    clock.now += hour;
    await lookAll();
    assert.deepEqual([(await mailing.mail()).state, (await mailing.mail()).held_until], ['left', null]);
    assert.equal(await mailing.waiting(), 0);
    assert.equal(new Set(taken.slice(5)).size, 4);
  });

  test(`while the mail is held, letters without news and other troubles change nothing, on ${engine}`, async () => {
    let response: string | undefined = spam;
    await using mailing = await openMailing(engine, {
      reply: () => response,
      hasNews: (to) => !to.startsWith('silent'),
    });
    const { clock, asked } = mailing;
    await mailing.queue('digest', 'first');
    await mailing.lookOn();
    clock.now += hour;
    await mailing.queue('digest', ...named('silent', 3));
    await mailing.queue('best', 'second');
    response = '451 4.3.0 Temporary lookup failure';
    await mailing.lookOn();
    assert.equal(asked.length, 2);
    assert.equal(await mailing.waiting(), 1);
    assert.match((await mailing.mail()).reason!, /спам/);
    response = undefined;
    clock.now += 10 * minute - 1;
    await mailing.lookOn();
    assert.equal(asked.length, 2);
    clock.now += 1;
    await mailing.lookOn();
    assert.deepEqual(mailing.taken, ['second@example.org']);
    assert.equal((await mailing.mail()).state, 'left');
  });

  test(`a letter with a post that is taken for spam holds the mail once, on ${engine}`, async () => {
    const reply = (to: string): string | undefined => (to === 'spammed@example.org' ? spam : undefined);
    await using mailing = await openMailing(engine, { reply });
    await mailing.queue('digest', 'spammed', ...named('digest', 9));
    await mailing.lookOn();
    assert.equal((await mailing.mail()).state, 'refused');
    mailing.clock.now += hour;
    await mailing.lookOn();
    assert.equal(new Set(mailing.taken).size, 9);
    assert.equal(await mailing.waiting(), 0);
    assert.equal((await mailing.mail()).state, 'left');
  });

  test(`a hold and letters that a clock ahead has recorded bind nobody, on ${engine}`, async () => {
    let response: string | undefined;
    await using mailing = await openMailing(engine, { lettersPerDay: 4, reply: () => response });
    mailing.clock.now = began + 10 * day;
    await mailing.queue('digest', ...named('early', 3));
    await mailing.lookOn();
    response = spam;
    await mailing.queue('code', 'refused');
    await mailing.lookOn();
    assert.equal((await mailing.mail()).held_until, mailing.clock.now + hour);
    response = undefined;
    mailing.clock.now = began;
    await mailing.queue('digest', ...named('now', 3));
    await mailing.lookOn();
    assert.equal(kindsIn(mailing.taken.slice(3)), 'refused now now');
    assert.equal((await mailing.mail()).held_until, null);
  });

  test(`codes leave again when the mailbox of a provider is open again, which every try while it is blocked delays, on ${engine}`, async () => {
    await using server = await startMailServer();
    // The provider takes fewer letters than the setting says.
    const [takes, blockSeconds, prolongedBy] = [12, 2 * hour, 5 * minute];
    const transport = (): Transport => openTransport(readConfig({ SMTP_URL: server.url }), () => {});
    await using mailing = await openMailing(engine, { lettersPerDay: 40, transport });
    const { clock } = mailing;
    const takenAt: number[] = [];
    const refusedAt: number[] = [];
    let blockedUntil = 0;
    server.judge(() => {
      const inDay = takenAt.filter((at) => at > clock.now - day).length;
      if (clock.now >= blockedUntil && inDay < takes) return void takenAt.push(clock.now);
      blockedUntil = Math.max(blockedUntil, clock.now + (clock.now < blockedUntil ? 0 : blockSeconds)) + prolongedBy;
      refusedAt.push(clock.now);
      return spam;
    });
    const subscribers = named('digest', 20);
    const reached = () => new Set(server.received.flatMap(({ to }) => to));
    const codesAt: number[] = [];
    let openAt = 0;
    for (let i = 0; i < 6 * 30; i += 1) {
      clock.now = began + i * 10 * minute;
      // The job of the morning: people to whom nothing was told.
      if (i % (6 * 24) === 0)
        await mailing.queue('digest', ...subscribers.filter((name) => !reached().has(`${name}@example.org`)));
      // Somebody signs in every two hours.
      if (i % 12 === 0) await mailing.queue('code', `code${i}`);
      const before = server.received.length;
      await mailing.lookOn();
      if (server.received.slice(before).some(({ to }) => to[0]!.startsWith('code'))) codesAt.push(clock.now);
      if (openAt === 0 && refusedAt.length > 0 && clock.now >= began + day && clock.now >= blockedUntil)
        openAt = clock.now;
    }
    const [first, ...later] = refusedAt;
    assert.equal(first, began, 'the provider blocks after twelve letters');
    const tries = later.filter((at) => at > began);
    assert.ok(refusedAt.length - tries.length <= 4, 'only letters that were on their way');
    assert.ok(tries.length > 0);
    for (const [j, at] of tries.entries())
      assert.ok(at - (tries[j - 1] ?? began) >= 10 * minute, `try at ${at - began}`);
    assert.ok(openAt > 0, 'the block ends');
    assert.ok(
      codesAt.some((at) => at >= openAt && at <= openAt + 130 * minute),
      'then a code arrives',
    );
    assert.equal(await mailing.waiting(), 0);
    assert.equal([...reached()].filter((to) => to.startsWith('digest')).length, 20, 'no letter is lost');
  });

  test(`a provider is never asked for more than the letters of a day, on ${engine}`, async () => {
    await using server = await startMailServer();
    const transport = (): Transport => openTransport(readConfig({ SMTP_URL: server.url }), () => {});
    await using mailing = await openMailing(engine, { lettersPerDay: 12, transport });
    const { clock } = mailing;
    const takenAt: number[] = [];
    let refused = 0;
    server.judge(() => {
      takenAt.push(clock.now);
      if (takenAt.filter((at) => at > clock.now - day).length <= 12) return undefined;
      refused += 1;
      return spam;
    });
    await mailing.queue('digest', ...named('digest', 20));
    let codes = 0;
    for (let i = 0; i < 2 * 96; i += 1) {
      clock.now = began + i * 30 * minute;
      if (i % 24 === 0) {
        await mailing.queue('code', `code${i}`);
        codes += 1;
      }
      await mailing.lookOn();
      const gone = server.received.filter(({ to }) => to[0]!.startsWith('code')).length;
      assert.equal(gone, codes, 'a code leaves at once');
    }
    assert.equal(refused, 0);
    assert.equal(server.received.length, 20 + codes);
  });
}
