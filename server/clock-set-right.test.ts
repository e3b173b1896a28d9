import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { engines } from '../test/engines.ts';
import { deleteAccount, enterAgain, type Member, outcome, register } from '../test/member.ts';
import { startMailServer } from '../test/smtp.ts';
import { openWall } from '../test/wall.ts';
import { clearDeleted } from './jobs/clear-deleted.ts';
import { keepRemovingExpired } from './jobs/remove-expired.ts';
import { sessionsPerUser } from './sessions/rules.ts';
import { openSession } from './sessions/store.ts';

const hour = 3_600;
const day = 24 * hour;
const year = 365 * day;

const publish = (member: Member, text: string) => outcome(member.send('POST', '/posts', { text }));

for (const engine of engines) {
  describe(`a clock that was wrong and is set right, on ${engine}`, () => {
    test('locks nobody out who had used up a limit by the wrong time', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      wall.clock.now += year;
      const anna = await register(wall);
      for (let i = 0; i < 5; i += 1) assert.deepEqual(await publish(anna, `в будущем ${i}`), [201]);
      assert.deepEqual(await publish(anna, 'лишняя'), [429, 'TOO_MANY_REQUESTS']);
      wall.clock.now -= year;
      for (let i = 0; i < 5; i += 1) assert.deepEqual(await publish(anna, `сегодня ${i}`), [201]);
      assert.deepEqual(await publish(anna, 'лишняя'), [429, 'TOO_MANY_REQUESTS']);
    });

    test('lifts no limit where it was wrong by little', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const anna = await register(wall);
      for (let i = 0; i < 4; i += 1) assert.deepEqual(await publish(anna, `вовремя ${i}`), [201]);
      wall.clock.now += 30;
      assert.deepEqual(await publish(anna, 'на полминуты позже'), [201]);
      wall.clock.now -= 30;
      const refused = await anna.send('POST', '/posts', { text: 'лишняя' });
      assert.equal(refused.statusCode, 429);
      assert.equal(refused.headers['retry-after'], '60');
    });

    test('lets a mail out that waits for its next try', async (t) => {
      const gone = await startMailServer();
      await gone.close();
      const wall = await openWall(engine, { SMTP_URL: gone.url });
      t.after(wall.close);
      wall.clock.now += hour;
      const started = await wall.app.inject({
        method: 'POST',
        url: '/api/v1/registrations',
        payload: {
          email: 'patient@example.org',
          clientToken: 'a',
          device: { userAgent: 'a', userAgentVersion: '1', os: 'b' },
        },
      });
      assert.equal(started.statusCode, 201);
      const state = async () => (await wall.get(`/api/v1/mail/${started.json().id}?clientToken=a`)).json.state;
      while ((await state()) === 'sending') await pause(50);
      wall.clock.now -= hour;
      const back = await startMailServer(Number(new URL(gone.url).port));
      t.after(back.close);
      const from = performance.now();
      await back.codeTo('patient@example.org');
      assert.ok(performance.now() - from < 10_000);
    });

    test('closes no session that has just been opened', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const anna = await register(wall);
      const session = { userId: Number(anna.id), clientToken: 'a', device: '{}', now: wall.clock.now + day };
      for (let i = 0; i < sessionsPerUser; i += 1) {
        await wall.db.tx((tx) => openSession(tx, { ...session, cookieHash: `of another device ${i}` }));
      }
      const again = await enterAgain(wall, anna);
      const { sessions } = (await again.send('GET', '/sessions')).json();
      assert.equal(sessions.length, sessionsPerUser);
      assert.equal(sessions[0].current, true);
    });

    test('signs nobody out who was there while it was behind', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const anna = await register(wall);
      const renew = () => outcome(anna.send('PATCH', '/sessions/current', { clientToken: anna.clientToken }));
      wall.clock.now -= year;
      assert.deepEqual(await renew(), [200]);
      wall.clock.now += year;
      assert.deepEqual(await renew(), [200]);
    });

    test('has removed nothing that was not old', async (t) => {
      const wall = await openWall(engine);
      // Before the wall closes, which clears real timers.
      t.after(() => mock.reset());
      t.after(wall.close);
      const anna = await register(wall);
      mock.timers.enable({ apis: ['setInterval'] });
      let elapsed = performance.now();
      mock.method(performance, 'now', () => elapsed);
      const stop = keepRemovingExpired(wall.db, () => wall.clock.now, pino({ level: 'silent' }));
      /** So many minutes, and what falls due in them. */
      const pass = async (minutes: number): Promise<void> => {
        for (let i = 0; i < minutes; i += 1) {
          elapsed += 60_000;
          wall.clock.now += 60;
          mock.timers.tick(60_000);
          await pause(1);
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
      stop();
      for (let looks = 0; looks < 500 && (await knownDevices()) > 0; looks += 1) await pause(10);
      assert.equal(await knownDevices(), 0, 'what is old goes');
    });

    test('clears away what an account left that was deleted by the wrong time', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      wall.clock.now += year;
      const anna = await register(wall);
      wall.clock.now += 61;
      await deleteAccount(wall, anna);
      wall.clock.now -= year;
      await clearDeleted(wall.db, wall.clock.now);
      const { cleared_at: clearedAt } = await wall.db.read
        .selectFrom('users')
        .select('cleared_at')
        .where('id', '=', Number(anna.id))
        .executeTakeFirstOrThrow();
      assert.equal(clearedAt, wall.clock.now);
    });
  });
}
