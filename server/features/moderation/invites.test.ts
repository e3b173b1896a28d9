import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Browser, device, newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { engines } from '../../../test/kit/engines.ts';
import { outcome, register } from '../../../test/kit/member.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { addInvites, listInvites, newInviteCode, type RegistrationMode, setRegistrationMode } from './invites.ts';

const standard = 'Регистрация только по приглашениям. Введите код, который вам дал тот, кто ведёт стену.';
const unfit = 'Код приглашения не подошёл. Проверьте его или попросите новый.';

const letIn = ({ db }: Wall, mode: RegistrationMode): Promise<void> => db.tx((tx) => setRegistrationMode(tx, mode));

async function invite({ db, clock }: Wall): Promise<string> {
  const code = newInviteCode();
  await db.tx((tx) => addInvites(tx, [code], 'для соседей', clock.now));
  return code;
}

const start = ({ send, clientToken }: Browser, email: string, code?: string) =>
  send('POST', '/registrations', { email, clientToken, device, ...(code !== undefined && { invite: code }) });

/** Starts a registration and returns the mailed code. */
async function begin(wall: Wall, email: string, code?: string) {
  const browser = openBrowser(wall);
  const started = await start(browser, email, code);
  assert.equal(started.statusCode, 201, started.body);
  const confirmCode = await wall.mail.codeTo(email);
  return () => browser.verify('registrations', started.json().id, confirmCode);
}

const people = async ({ db }: Wall): Promise<number> =>
  (await db.read.selectFrom('users').select('id').execute()).length;

for (const engine of engines) {
  describe(`registration by invitation on ${engine}`, () => {
    test('is refused without a valid code, and reveals nothing about the address', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      await letIn(wall, 'invite');
      const received = wall.mail.received.length;
      for (const email of [newAddress(), anna.email]) {
        for (const [code, message] of [
          [undefined, standard],
          ['ABCDE-FGHJK', unfit],
          [' ', unfit],
        ] as const) {
          const refused = await start(openBrowser(wall), email, code);
          assert.deepEqual([refused.statusCode, refused.json()], [400, { code: 'REGISTRATION_CLOSED', message }]);
        }
      }
      assert.equal(wall.mail.received.length, received);
      assert.deepEqual(await outcome(openBrowser(wall).start('logins', anna.email)), [201]);
    });

    test('guesses of codes spend the budget of starts', async () => {
      await using wall = await openWall(engine);
      await letIn(wall, 'invite');
      const browser = openBrowser(wall);
      const statuses: number[] = [];
      for (let i = 0; i < 61; i += 1) statuses.push((await start(browser, newAddress(), `ABCDE-${i}`)).statusCode);
      assert.deepEqual(new Set(statuses.slice(0, 60)), new Set([400]));
      assert.equal(statuses[60], 429);
    });

    test('a code, however it is typed, admits one person, and only its hash is stored', async () => {
      await using wall = await openWall(engine);
      await letIn(wall, 'invite');
      const code = await invite(wall);
      assert.match(code, /^[2-9A-HJKMNP-Z]{5}-[2-9A-HJKMNP-Z]{5}$/);
      const email = newAddress();
      const finish = await begin(wall, email, ` ${code.toLowerCase().replace('-', ' – ')} `);
      assert.equal((await finish()).statusCode, 200);
      const [row] = await listInvites(wall.db.read, 10);
      assert.deepEqual([row!.note, row!.used_at], ['для соседей', wall.clock.now]);
      assert.match(row!.used_by!, /^user_/);
      const stored = JSON.stringify(await wall.db.read.selectFrom('invites').selectAll().execute());
      assert.ok(!stored.includes(code) && !stored.includes(code.replace('-', '')));
      const refused = await start(openBrowser(wall), newAddress(), code);
      assert.deepEqual(refused.json(), { code: 'REGISTRATION_CLOSED', message: unfit });
    });

    test('a known address signs in and leaves the code unused', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      wall.clock.now += 61;
      await letIn(wall, 'invite');
      const code = await invite(wall);
      assert.equal((await (await begin(wall, anna.email, code))()).statusCode, 200);
      assert.equal((await (await begin(wall, newAddress(), code))()).statusCode, 200);
      assert.equal(await people(wall), 2);
    });

    test('one code used by a hundred registrations at once creates one account', async () => {
      await using wall = await openWall(engine);
      await letIn(wall, 'invite');
      const code = await invite(wall);
      const finishes: Array<Awaited<ReturnType<typeof begin>>> = [];
      // One after the other: on a busy machine a hundred concurrent mails would be refused with 503.
      for (let i = 0; i < 100; i += 1) finishes.push(await begin(wall, newAddress(), code));
      const responses = await Promise.all(finishes.map((finish) => finish()));
      assert.equal(responses.filter(({ statusCode }) => statusCode === 200).length, 1);
      for (const refused of responses.filter(({ statusCode }) => statusCode !== 200)) {
        assert.deepEqual([refused.statusCode, refused.json().message], [400, unfit]);
      }
      assert.equal(await people(wall), 1);
    });

    test('one person with two codes on two devices uses one of them', async () => {
      await using wall = await openWall(engine, { CODE_RESEND_SECONDS: '0' });
      await letIn(wall, 'invite');
      const email = newAddress();
      const finishes = [await begin(wall, email, await invite(wall)), await begin(wall, email, await invite(wall))];
      for (const { statusCode } of await Promise.all(finishes.map((finish) => finish()))) assert.equal(statusCode, 200);
      const used = (await listInvites(wall.db.read, 10)).filter((row) => row.used_at !== null);
      assert.deepEqual([used.length, await people(wall)], [1, 1]);
    });

    test('a registration started while it was open is refused after it was closed', async () => {
      await using wall = await openWall(engine);
      const finish = await begin(wall, newAddress());
      const finishWithCode = await begin(wall, newAddress(), await invite(wall));
      await letIn(wall, 'invite');
      const refused = await finish();
      assert.deepEqual([refused.statusCode, refused.json().message], [400, standard]);
      assert.equal((await finishWithCode()).statusCode, 200);
      assert.equal(await people(wall), 1);
      await letIn(wall, 'open');
      assert.equal((await (await begin(wall, newAddress()))()).statusCode, 200);
    });
  });
}
