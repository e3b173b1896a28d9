import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../server/db/database.ts';
import { openDatabase } from '../../../server/db/open-database.ts';
import { createUser } from '../../kit/create-user.ts';
import { createPost, createReply } from '../../../server/features/posts/post-writes.ts';
import { count, sum } from '../../measurements/numbers.ts';
import type { Figure } from '../../measurements/report.ts';
import { type Engine, freshStorage, type StorageSettings } from '../../kit/engines.ts';
import { spawnNode } from '../../kit/node-process.ts';
import { settingsOf } from '../../kit/server-process.ts';
import { newUser } from '../../kit/signed-in.ts';
import { type MailServer, startMailServer } from '../../kit/smtp.ts';
import { exactly, type Extent, type Fault, onEachEngine, until } from '../fault.ts';

const day = 24 * 3_600;
/** Noon UTC of the first day. */
const start = 1_700_049_600;
/** Only PostgreSQL allows several processes. */
const processes = { sqlite: 1, postgres: 3 } as const satisfies Record<Engine, number>;
const kills = { short: 2, whole: 20 };
const people = { short: 30, whole: 200 };
/** A kill comes within the time that the letters of a day take. */
const killWithinMs = 250;

/** Processes are killed while they decide who gets a letter with notifications, and send the letters. */
export const digest: Fault = {
  name: 'digest',
  run: (extent) =>
    extent === 'short' ? killedDaily('postgres', extent) : onEachEngine((engine) => killedDaily(engine, extent)),
};

async function killedDaily(engine: Engine, extent: Extent): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const { storage } = cleanup.use(await freshStorage(engine));
  const mail = cleanup.use(await startMailServer());
  const db = await openDatabase(storage, () => {});
  cleanup.defer(() => db.close());
  const wall = await subscribers(db, people[extent]);
  const running = await Promise.all(Array.from({ length: processes[engine] }, () => begin(storage, mail, start)));
  cleanup.defer(async () => void (await Promise.all(running.map(kill))));

  const total = { missing: 0, twice: 0, again: 0, letters: 0 };
  for (let i = 1; i <= kills[extent]; i += 1) {
    const now = start + i * day;
    await db.tx(async (tx) => {
      for (const id of wall.posts) await createReply(tx, id, { userId: wall.author, text: 'новость', now });
    });
    const before = mail.received.length;
    for (const child of running) child.send(now);
    await sleep(Math.random() * killWithinMs);
    const victim = i % running.length;
    await kill(running[victim]!);
    // Ends the lock of the killed process, which otherwise lasts for a minute. If another process holds the lock, two processes run the job at once.
    await db.tx((tx) =>
      tx.db.updateTable('jobs').set({ locked_until: 0 }).where('locked_by', 'is not', null).execute(),
    );
    const [found, replacement] = await Promise.all([
      lettersOf(mail, before, wall.emails, db),
      begin(storage, mail, now),
    ]);
    running[victim] = replacement;
    for (const [key, times] of Object.entries(found)) total[key as keyof typeof total] += times;
  }
  const detail = `${count(total.letters)} letters; ${total.again} handed over again under the same Message-ID after a kill`;
  const what = `letters with notifications, kill -9 × ${kills[extent]} of ${processes[engine]}, ${engine}`;
  const enough = total.letters === kills[extent] * people[extent];
  return [exactly(what, [total.missing, total.twice], [0, 0], detail, { word: 'missing and twice', enough })];
}

/** People who want a letter each day and have a post that others answer. */
async function subscribers(db: Database, many: number) {
  const author = await newUser(db, 'author', start);
  const posts: number[] = [];
  const emails: string[] = [];
  await db.tx(async (tx) => {
    for (let i = 0; i < many; i += 1) {
      const username = `reader_${i}`;
      const userId = await createUser(tx, { username, email: `${username}@example.org`, now: start });
      emails.push(`${username}@example.org`);
      posts.push(await createPost(tx, { userId, text: 'запись', now: start }));
    }
  });
  await db.tx((tx) => tx.db.updateTable('users').set({ digest: 'daily' }).where('id', '<>', author).execute());
  return { author, posts, emails };
}

async function begin(storage: StorageSettings, mail: MailServer, now: number): Promise<ChildProcess> {
  const env = { ...settingsOf(storage), SMTP_URL: mail.url };
  const child = spawnNode(['test/faults/kit/digest-process.ts', String(now)], { env });
  await once(child.stdout!, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Waits until no letter of the day is left to send, and counts them. */
async function lettersOf(mail: MailServer, before: number, emails: readonly string[], db: Database) {
  const isDone = async (): Promise<boolean> => {
    const outbox = db.read.selectFrom('outbox').select('id').where('next_try_at', 'is not', null);
    const waiting = await outbox.executeTakeFirst();
    return !waiting && new Set(mail.received.slice(before).flatMap(({ to }) => to)).size >= emails.length;
  };
  await until(isDone, { everyMs: 50 });
  const ids = new Map<string, Set<string>>(emails.map((email) => [email, new Set()]));
  const letters = mail.received.slice(before);
  for (const { to, source } of letters) ids.get(to[0]!)!.add(/^Message-ID:\s*(\S+)/im.exec(source)![1]!);
  const each = [...ids.values()].map(({ size }) => size);
  const different = sum(each);
  return {
    missing: each.filter((size) => size === 0).length,
    twice: each.filter((size) => size > 1).length,
    again: letters.length - different,
    letters: different,
  };
}
