import assert from 'node:assert/strict';
import { pino } from 'pino';
import { limits } from '#contract/limits.ts';
import { cookieHash, issueToken, newCookie } from '../../server/features/sessions/session-rules.ts';
import { openSession } from '../../server/features/sessions/session-store.ts';
import { bestJob } from '../../server/features/lists/update-best.ts';
import { publishDue } from '../../server/features/posts/pending-posts.ts';
import { makeSecrets } from '../../server/secrets.ts';
import { purgeDeletedPosts, wallJobs } from '../../server/ops/jobs/wall-jobs.ts';
import type { Tx } from '../../server/db/database.ts';
import { createUser } from '../kit/create-user.ts';
import type { Engine } from '../kit/engines.ts';
import { runJobs } from '../kit/run-jobs.ts';
import { SECRET } from '../kit/server-process.ts';
import { type Browser, device, openBrowser } from '../kit/sign-in.ts';
import { openWall } from '../kit/wall.ts';
import { hoursToWait, Person } from './oracle.ts';

export type ModelWall = Awaited<ReturnType<typeof openModelWall>>;

/** A wall on which sequences of acts are played one after another. Each sequence has its own people. */
export async function openModelWall(engine: Engine) {
  const wall = await openWall(engine, { RATE_LIMITS: 'off', SECRET });
  const { db, clock } = wall;
  const secrets = makeSecrets(SECRET);
  let groups = 0;

  async function makePerson(tx: Tx, username: string, role: 'moderator' | 'owner' | null) {
    const now = clock.now;
    const id = await createUser(tx, { username, email: `${username}@example.org`, now });
    await tx.db.updateTable('users').set({ role }).where('id', '=', id).execute();
    const session = { userId: id, cookieHash: cookieHash(newCookie()), clientToken: 'this browser', now };
    const sessionId = await openSession(tx, { ...session, device: JSON.stringify(device) });
    const { token } = issueToken(secrets, sessionId, now + 1e8);
    const person = new Person({ id: String(id), username, display_name: null, face: null }, role === 'moderator', now);
    return [person, Object.assign(openBrowser(wall), { token })] as const;
  }

  const [, owner] = await db.tx((tx) => makePerson(tx, 'owner_of_all', 'owner'));
  // The first run stores the jobs. `pass` moves their times ahead of the clock, so the server itself never runs one.
  await wallJobs({ db, secrets, log: pino({ level: 'silent' }), now: () => clock.now }).runDue();
  return {
    ...wall,
    /** Three people and a moderator, with their browsers. */
    newPeople(): Promise<Map<Person, Browser>> {
      groups += 1;
      const member = (tx: Tx, name: string) => makePerson(tx, `${name}_${groups}`, null);
      return db.tx(async (tx) => {
        const members = [await member(tx, 'anna'), await member(tx, 'boris'), await member(tx, 'clara')];
        return new Map([...members, await makePerson(tx, `moder_${groups}`, 'moderator')]);
      });
    },
    async forgetWords(): Promise<void> {
      await db.tx((tx) => tx.db.deleteFrom('words').execute());
    },
    async setGate(posts: number): Promise<void> {
      const settings = { gate_posts: posts, gate_hours: hoursToWait };
      assert.equal((await owner.send('PUT', '/keep/settings', settings)).statusCode, 200);
    },
    async pass(seconds: number): Promise<void> {
      const now = clock.now + seconds;
      await db.tx(async (tx) => {
        await tx.db
          .updateTable('jobs')
          .set('run_at', now + 30)
          .execute();
        if (seconds <= limits.lastReplySeconds) return;
        // A cached list keeps the last reply of a discussion until one of its posts changes. Browsers hide it after a day.
        const newest = await tx.db.selectFrom('posts').select('id').orderBy('id', 'desc').limit(100).execute();
        tx.touch(...newest.map(({ id }) => `post:${id}` as const));
      });
      clock.now = now;
    },
    /** Runs the jobs that depend on the time. */
    async runJobs(): Promise<void> {
      const run = { now: clock.now, tx: db.tx };
      await publishDue(db, run);
      await purgeDeletedPosts(db, run);
    },
    /** Runs the job that counts the best posts, which depends on what was written and on the time. */
    async countBest(): Promise<void> {
      await db.tx((tx) => tx.db.updateTable('jobs').set({ run_at: clock.now }).where('name', '=', bestJob).execute());
      await runJobs(db, clock.now);
    },
    /** Deletes the waiting posts, so that they do not appear during the next sequence. */
    forgetWaiting: () => db.tx((tx) => tx.db.deleteFrom('pending_posts').execute()),
  };
}
