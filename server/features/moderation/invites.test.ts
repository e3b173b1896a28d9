import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Invite } from '#contract/moderation.ts';
import { type Browser, device, newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { engines } from '../../../test/kit/engines.ts';
import { journal, registerModerator } from '../../../test/kit/desk.ts';
import { deleteAccount, type Member, outcome, register } from '../../../test/kit/member.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import type { RegistrationMode } from '../wall-texts/wall-settings.ts';
import { addInvites, listInvites, newInviteCode, setRegistrationMode } from './invites.ts';

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

    test('a link for several people admits so many, says who invites, and ends', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const moderator = await registerModerator(wall);
      const made = await moderator.send('POST', '/moderation/invites', { count: 1, seats: 3, reason: 'соседям' });
      const [code] = made.json().codes as [string];
      const shown = await wall.get(`/api/v1/invitations/${code}`);
      const inviter = { username: moderator.username, display_name: null };
      assert.deepEqual([shown.status, shown.json], [200, { inviter }]);
      assert.match((await wall.get(`/join/${code}`)).text, new RegExp(`Приглашает.*${moderator.username}`));
      // The link counts its people also while everybody may register.
      assert.equal((await (await begin(wall, newAddress(), code))()).statusCode, 200);
      await letIn(wall, 'invite');
      const finishes: Array<Awaited<ReturnType<typeof begin>>> = [];
      for (let n = 0; n < 4; n += 1) finishes.push(await begin(wall, newAddress(), code));
      const statuses = (await Promise.all(finishes.map((finish) => finish()))).map(({ statusCode }) => statusCode);
      assert.deepEqual(
        [200, 400].map((status) => statuses.filter((each) => each === status).length),
        [2, 2],
      );
      const { invites } = (await moderator.send('GET', '/moderation/invites')).json();
      assert.deepEqual([invites[0].used, invites[0].seats], [3, 3]);
      assert.equal((await wall.get(`/api/v1/invitations/${code}`)).status, 404);
      assert.equal((await wall.get(`/join/${code}`)).status, 404);
      await letIn(wall, 'open');
      assert.equal((await (await begin(wall, newAddress(), code))()).statusCode, 200);
    });

    test('its maker or an owner ends an invitation; nobody else does, and nobody comes by it afterwards', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [owner, maker] = [await registerModerator(wall, 'owner'), await registerModerator(wall)];
      const other = await registerModerator(wall);
      await letIn(wall, 'invite');
      const make = async () =>
        (await maker.send('POST', '/moderation/invites', { count: 1, seats: 5, reason: 'листок' })).json().codes[0];
      const [first, second] = [await make(), await make()];
      const list = async (by: Member) => (await by.send('GET', '/moderation/invites')).json().invites;
      const end = (by: Member, { id }: { id: string }) =>
        by.send('DELETE', `/moderation/invites/${id}`, { reason: 'не туда' });
      assert.deepEqual(
        (await list(other)).map((row: Invite) => row.may_end),
        [false, false],
      );
      const [newer, older] = await list(maker);
      assert.ok(newer.may_end && older.may_end);
      assert.deepEqual(await outcome(end(other, older)), [403, 'FORBIDDEN']);
      const finish = await begin(wall, newAddress(), first);
      assert.equal((await (await begin(wall, newAddress(), first))()).statusCode, 200);
      assert.deepEqual(await outcome(end(maker, older)), [200]);
      // Also somebody who has started with it before.
      assert.equal((await finish()).json().code, 'REGISTRATION_CLOSED');
      assert.equal((await wall.get(`/join/${first}`)).status, 404);
      assert.equal((await wall.get(`/join/${second}`)).status, 200);
      assert.deepEqual(await outcome(end(owner, newer)), [200]);
      assert.equal((await wall.get(`/join/${second}`)).status, 404);
      assert.equal((await end(owner, newer)).json().act_id, null);
      const [left, used] = await list(owner);
      assert.deepEqual([left.seats, used.seats, used.used, used.may_end], [0, 1, 1, false]);
      const acts = (await journal(owner)).filter(({ action }) => action === 'end-invite');
      assert.deepEqual(
        acts.map(({ by, target, reason }) => [by, target, reason]),
        [
          [maker.username, 'листок', 'не туда'],
          [owner.username, 'листок', 'не туда'],
        ],
      );
      assert.deepEqual(await outcome(end(owner, { id: '999' })), [404, 'NOT_FOUND']);
    });

    test('an invitation of the operator, or of somebody who has left, names nobody', async () => {
      await using wall = await openWall(engine);
      const moderator = await registerModerator(wall);
      const made = await moderator.send('POST', '/moderation/invites', { count: 1, reason: 'соседям' });
      await deleteAccount(wall, moderator);
      for (const code of [await invite(wall), made.json().codes[0]]) {
        assert.deepEqual((await wall.get(`/api/v1/invitations/${code}`)).json, { inviter: null });
      }
    });
  });
}
