import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import type { NotificationSettings } from '#contract/notifications.ts';
import { type Member, register } from './member.ts';
import { runJobs } from './run-jobs.ts';
import type { Wall } from './wall.ts';

export const day = 24 * 3_600;

/** Tuesday, 14 November 2023, 7:00 UTC. The letters of that day are due an hour earlier. */
export const tuesday = 1_699_945_200;

export async function choose(
  person: Member,
  digest: NotificationSettings['digest'],
  more: Partial<NotificationSettings> = {},
): Promise<void> {
  const settings = { follow_replied: true, digest, ...more };
  const chosen = await person.send('PUT', '/users/current/notification-settings', settings);
  assert.equal(chosen.statusCode, 200, chosen.body);
}

/** A person who gets letters, with a post that others can answer. */
export async function subscriber(
  wall: Wall,
  digest: NotificationSettings['digest'] = 'daily',
  more: Partial<NotificationSettings> = {},
): Promise<Member & { postId: string }> {
  const person = await register(wall);
  await choose(person, digest, more);
  const { id } = (await person.send('POST', '/posts', { text: 'запись' })).json();
  return Object.assign(person, { postId: id as string });
}

/** Runs the jobs that are due, and returns the letters that they send to a person. */
export async function lettersNow(wall: Wall, { email }: Pick<Member, 'email'>) {
  const isDigest = ({ to, source }: { to: string[]; source: string }) =>
    to.includes(email) && /^List-Unsubscribe:/im.test(source);
  const before = wall.mail.received.filter(isDigest).length;
  await runJobs(wall.db, wall.clock.now);
  await allMailsSent(wall);
  return wall.mail.received.filter(isDigest).slice(before);
}

/** Waits until no mail is due or being sent: a process that sends a mail locks it for 15 s, and one with a file (kind 6) for 120 s. */
export async function allMailsSent({ db, clock }: Wall): Promise<void> {
  const due = db.read
    .selectFrom('outbox')
    .select('id')
    .where('next_try_at', '<=', sql<number>`${clock.now} + case when kind = 6 then 120 else 16 end`);
  while (await due.executeTakeFirst()) await pause(10);
}
