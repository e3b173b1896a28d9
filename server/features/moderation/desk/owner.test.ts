import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeSecrets } from '../../../secrets.ts';
import { appoint, confirm, journal, registerModerator } from '../../../../test/kit/desk.ts';
import { engines } from '../../../../test/kit/engines.ts';
import { type Member, outcome, register } from '../../../../test/kit/member.ts';
import { seedOf } from '../../../../test/kit/seed.ts';
import { SECRET } from '../../../../test/kit/server-process.ts';
import { type Browser, device, newAddress, openBrowser } from '../../../../test/kit/sign-in.ts';
import { openWall, type Wall } from '../../../../test/kit/wall.ts';
import { setRegistrationMode } from '../invites.ts';
import { newOwnerCode } from '../owner-link.ts';

const printed = ({ db, clock }: Wall) => newOwnerCode(db, makeSecrets(SECRET), clock.now);
const roleOf = async (member: Member) => (await member.send('GET', '/users/current')).json().role;
const become = (member: Pick<Member, 'send'>, code: string) => outcome(member.send('POST', `/owner-links/${code}`));
const appointPerson = (by: Member, { username }: Member, owner = false) =>
  by.send('POST', `/moderation/people/${username}/appointment`, { reason: 'помогает', owner });
const dismiss = (by: Member, { username }: Member) =>
  by.send('POST', `/moderation/people/${username}/dismissal`, { reason: 'устал' });

for (const engine of engines) {
  describe(`owners on ${engine}`, () => {
    test('the link of an empty wall makes one person its owner, for a day', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const code = (await printed(wall))!;
      const [anna, boris] = [await register(wall), await register(wall)];
      assert.equal(await printed(wall), undefined, 'the wall is not empty');
      assert.equal((await wall.get(`/owner/${code}`)).status, 200);
      const damaged = code.replace(/^\d/, (digit) => String((Number(digit) + 1) % 10));
      for (const wrong of [damaged, 'x', `${code}x`]) {
        assert.deepEqual(await become(anna, wrong), [404, 'NOT_FOUND']);
        assert.equal((await wall.get(`/owner/${wrong}`)).status, 404);
      }
      const outcomes = await Promise.all([become(anna, code), become(boris, code)]);
      assert.deepEqual(
        outcomes.map(([status]) => status).toSorted((a, b) => a - b),
        [204, 404],
      );
      const [owner, other] = (await roleOf(anna)) === 'owner' ? [anna, boris] : [boris, anna];
      assert.equal(await roleOf(other), undefined);
      assert.equal((await wall.get(`/owner/${code}`)).status, 404);
      const [entry] = await journal(owner);
      assert.deepEqual(
        [entry?.action, entry?.by, entry?.by_id, entry?.target],
        ['appoint-owner', owner.username, owner.id, owner.username],
      );
    });

    test('the link is printed while only imported people are there, and opens a closed registration', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      await seedOf(wall.db).imported('boris_schukin');
      const code = (await printed(wall))!;
      await wall.db.tx((tx) => setRegistrationMode(tx, 'invite'));
      const start = (browser: Browser, email: string, invite?: string) =>
        browser.send('POST', '/registrations', { email, clientToken: browser.clientToken, device, invite });
      const browser = openBrowser(wall);
      const email = newAddress();
      assert.deepEqual(await outcome(start(browser, email)), [400, 'REGISTRATION_CLOSED']);
      const started = await start(browser, email, code);
      assert.equal(started.statusCode, 201, started.body);
      const entered = await browser.verify('registrations', started.json().id, await wall.mail.codeTo(email));
      assert.equal(entered.statusCode, 200, entered.body);
      assert.deepEqual(await become(browser, code), [204]);
      assert.deepEqual(await outcome(start(openBrowser(wall), newAddress(), code)), [400, 'REGISTRATION_CLOSED']);
    });

    test('the link ends after a day', async () => {
      await using wall = await openWall(engine);
      const code = (await printed(wall))!;
      wall.clock.now += 24 * 3_600;
      const anna = await register(wall);
      assert.deepEqual(await become(anna, code), [404, 'NOT_FOUND']);
    });

    test('owners appoint and dismiss with a fresh code; the last owner stays', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [owner, anna] = [await registerModerator(wall, 'owner'), await register(wall)];
      for (const act of [appointPerson, dismiss]) {
        assert.deepEqual(await outcome(act(owner, anna)), [403, 'CONFIRMATION_REQUIRED']);
      }
      await confirm(wall, owner);
      assert.deepEqual(await outcome(appointPerson(owner, anna)), [200]);
      assert.equal(await roleOf(anna), 'moderator');
      assert.equal((await appointPerson(owner, anna)).json().act_id, null);
      const last = await dismiss(owner, owner);
      assert.deepEqual([last.statusCode, last.json().code], [403, 'FORBIDDEN']);
      assert.match(last.json().message, /последний владелец/);
      assert.deepEqual(await outcome(appointPerson(owner, anna, true)), [200]);
      assert.equal(await roleOf(anna), 'owner');
      await confirm(wall, anna);
      // Each dismisses the other at once: one of them stays.
      const both = await Promise.all([dismiss(owner, anna), dismiss(anna, owner)]);
      assert.ok(both.every(({ statusCode }) => [200, 403, 404].includes(statusCode)));
      const roles = [await roleOf(owner), await roleOf(anna)];
      assert.deepEqual(roles.filter((role) => role === 'owner').length, 1);
      const left = roles[0] === 'owner' ? owner : anna;
      const acts = (await journal(left)).map(({ action }) => action);
      assert.deepEqual(acts, ['appoint', 'appoint-owner', 'dismiss-moderator']);
    });

    test('a moderator cannot block an owner', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [owner, moderator] = [await registerModerator(wall, 'owner'), await register(wall)];
      await appoint(wall, moderator);
      await confirm(wall, moderator);
      const body = { reason: 'спам', remove_posts: false };
      const path = `/moderation/people/${owner.username}/block`;
      assert.deepEqual(await outcome(moderator.send('POST', path, body)), [403, 'FORBIDDEN']);
    });
  });
}
