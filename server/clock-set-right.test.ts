import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { engines } from '../test/kit/engines.ts';
import { deleteAccount, signInElsewhere, type Member, outcome, register } from '../test/kit/member.ts';
import { openBrowser } from '../test/kit/sign-in.ts';
import { startMailServer } from '../test/kit/smtp.ts';
import { openWall } from '../test/kit/wall.ts';
import { runJobs } from '../test/kit/run-jobs.ts';
import { SECRET } from '../test/kit/server-process.ts';
import { wallJobs } from './ops/jobs/wall-jobs.ts';
import { sessionsPerUser } from './features/sessions/session-rules.ts';
import { openSession } from './features/sessions/session-store.ts';
import { makeSecrets } from './secrets.ts';

const hour = 3_600;
const day = 24 * hour;
const year = 365 * day;

const publish = (member: Member, text: string) => outcome(member.send('POST', '/posts', { text }));

for (const engine of engines) {
  describe(`after a wrong clock is corrected, on ${engine}`, () => {
    test('a limit used up in the future does not apply', async () => {
      await using wall = await openWall(engine);
      wall.clock.now += year;
      const anna = await register(wall);
      for (let i = 0; i < 40; i += 1) assert.deepEqual(await publish(anna, `в будущем ${i}`), [201]);
      assert.deepEqual(await publish(anna, 'лишняя'), [429, 'TOO_MANY_REQUESTS']);
      wall.clock.now -= year;
      for (let i = 0; i < 40; i += 1) assert.deepEqual(await publish(anna, `сегодня ${i}`), [201]);
      assert.deepEqual(await publish(anna, 'лишняя'), [429, 'TOO_MANY_REQUESTS']);
    });

    test('a limit still applies after a small correction', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      for (let i = 0; i < 39; i += 1) assert.deepEqual(await publish(anna, `вовремя ${i}`), [201]);
      wall.clock.now += 30;
      assert.deepEqual(await publish(anna, 'на полминуты позже'), [201]);
      wall.clock.now -= 30;
      const refused = await anna.send('POST', '/posts', { text: 'лишняя' });
      assert.equal(refused.statusCode, 429);
      assert.equal(refused.headers['retry-after'], '10');
    });

    test('a delayed mail is sent', async (t) => {
      const stopped = await startMailServer();
      await stopped.close();
      await using wall = await openWall(engine, { SMTP_URL: stopped.url });
      wall.clock.now += hour;
      const browser = openBrowser(wall);
      const { id } = (await browser.start('registrations', 'patient@example.org')).json();
      const path = `/mail/${id}?${new URLSearchParams({ clientToken: browser.clientToken })}`;
      while ((await browser.send('GET', path)).json().state === 'sending') await pause(50);
      wall.clock.now -= hour;
      const restarted = await startMailServer(Number(new URL(stopped.url).port));
      t.after(restarted.close);
      await restarted.codeTo('patient@example.org');
    });

    test('a new session is not closed in favour of sessions from the future', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      const session = { userId: Number(anna.id), clientToken: 'a', device: '{}', now: wall.clock.now + day };
      for (let i = 0; i < sessionsPerUser; i += 1) {
        await wall.db.tx((tx) => openSession(tx, { ...session, cookieHash: `of another device ${i}` }));
      }
      const again = await signInElsewhere(wall, anna);
      const { sessions } = (await again.send('GET', '/sessions')).json();
      assert.equal(sessions.length, sessionsPerUser);
      assert.equal(sessions[0].current, true);
    });

    test('a session renewed while the clock was behind stays valid', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      const renew = () => outcome(anna.send('PATCH', '/sessions/current', { clientToken: anna.clientToken }));
      wall.clock.now -= year;
      assert.deepEqual(await renew(), [200]);
      wall.clock.now += year;
      assert.deepEqual(await renew(), [200]);
    });

    test('jobs have removed only old rows', async (t) => {
      const wall = await openWall(engine);
      t.after(() => mock.reset());
      t.after(wall.close);
      const anna = await register(wall);
      let elapsed = performance.now();
      mock.method(performance, 'now', () => elapsed);
      const jobs = wallJobs({
        db: wall.db,
        secrets: makeSecrets(SECRET),
        log: pino({ level: 'silent' }),
        now: () => wall.clock.now,
      });
      /** Advances the clock ten minutes at a time and runs the jobs that are due. */
      const pass = async (minutes: number): Promise<void> => {
        for (let i = 0; i < minutes; i += 10) {
          elapsed += 600_000;
          wall.clock.now += 600;
          await jobs.runDue();
        }
      };
      const knownDevices = async (): Promise<number> =>
        (await wall.db.read.selectFrom('known_devices').select('user_id').execute()).length;

      await pass(70);
      wall.clock.now += 2 * year;
      await pass(50);
      assert.equal(await knownDevices(), 1);
      wall.clock.now -= 2 * year;
      assert.deepEqual(await outcome(anna.send('PATCH', '/sessions/current', { clientToken: 'a' })), [200]);
      await pass(70);
      assert.equal(await knownDevices(), 1);
      wall.clock.now += 2 * year;
      await pass(70);
      assert.equal(await knownDevices(), 0, 'an old row is removed');
    });

    test('the rows of an account deleted in the future are cleared', async () => {
      await using wall = await openWall(engine);
      wall.clock.now += year;
      const anna = await register(wall);
      wall.clock.now += 61;
      await deleteAccount(wall, anna);
      wall.clock.now -= year;
      await runJobs(wall.db, wall.clock.now);
      const cleared = wall.db.read.selectFrom('users').select('cleared_at').where('id', '=', Number(anna.id));
      assert.deepEqual(await cleared.execute(), [{ cleared_at: wall.clock.now }]);
    });
  });
}
