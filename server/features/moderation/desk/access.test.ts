import assert from 'node:assert/strict';
import { isForKeepers } from '#contract/call.ts';
import { apiPrefix } from '#contract/endpoint.ts';
import { callTable } from '#contract/calls.ts';
import { makeSecrets } from '../../../secrets.ts';
import { admin } from '../../../../test/kit/admin.ts';
import { actions, appoint, confirm, journal, registerModerator } from '../../../../test/kit/desk.ts';
import { type Member, outcome, register, renew, startDeletion, verifyDeletion } from '../../../../test/kit/member.ts';
import { seedOf } from '../../../../test/kit/seed.ts';
import { SECRET } from '../../../../test/kit/server-process.ts';
import { type Browser, device, newAddress, openBrowser } from '../../../../test/kit/sign-in.ts';
import { type Wall } from '../../../../test/kit/wall.ts';
import { onWalls } from '../../../../test/kit/on-walls.ts';
import { newOwnerCode, setRegistrationMode } from '../invites.ts';

const calls = callTable.filter(({ access }) => isForKeepers(access));
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const payloads = [undefined, '{"reason":1}', 'not json'];
const pages: ReadonlyArray<Record<string, string>> = [
  { 'sec-fetch-site': 'same-origin' },
  { origin: 'https://evil.example' },
];

/** The responses that somebody without the role gets at a URL, to each method, body and origin. */
async function strangersView(wall: Wall, url: string, authorization?: string): Promise<string[]> {
  const seen: string[] = [];
  for (const method of methods) {
    for (const payload of payloads) {
      for (const page of pages) {
        const body = payload !== undefined && { 'content-type': 'application/json' };
        const headers = { ...page, ...(authorization !== undefined && { authorization }), ...body };
        const response = await wall.app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
        const { date: _date, ...rest } = response.headers;
        seen.push(JSON.stringify([method, payload, response.statusCode, response.body, rest]));
      }
    }
  }
  return seen;
}

const roleOf = async (member: Pick<Member, 'send'>) => (await member.send('GET', '/users/current')).json().role;
const day = 24 * 3_600;
const secrets = makeSecrets(SECRET);
const printed = ({ db, clock }: Wall) => newOwnerCode(db, secrets, clock.now);
const become = (member: Pick<Member, 'send'>, code: string) => outcome(member.send('POST', `/owner-links/${code}`));
const appointPerson = (by: Member, { username }: Member, owner = false) =>
  by.send('POST', `/moderation/people/${username}/appointment`, { reason: 'помогает', owner });
const dismiss = (by: Member, { username }: Member) =>
  by.send('POST', `/moderation/people/${username}/dismissal`, { reason: 'устал' });
const missing = [404, 'NOT_FOUND'];

const onWall = onWalls({ RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' }, 'those who keep the wall');

// sessions/refusals.test.ts makes each call as all kinds of callers. This test makes wrong requests as those who pass the session check.
onWall(
  'wrong requests to calls of the desk look missing to others, those of owners also to moderators',
  async (wall) => {
    const viewers = { person: await register(wall), moderator: await registerModerator(wall) };
    const faults: string[] = [];
    for (const [viewer, { token }] of Object.entries(viewers)) {
      const authorization = `Bearer ${token}`;
      const unknown = await strangersView(wall, `${apiPrefix}/moderationist`, authorization);
      for (const { name, access, path } of calls) {
        if (viewer === 'moderator' && access === 'moderator') continue;
        const seen = await strangersView(wall, apiPrefix + path.replace(/\{\w+\}/, '1'), authorization);
        faults.push(...seen.filter((view, i) => view !== unknown[i]).map((view) => `${viewer} ${name}: ${view}`));
      }
    }
    assert.deepEqual(faults.slice(0, 5), []);
  },
);

onWall('the role is shown to those who have it, and its code ends with it', async (wall) => {
  const [person, owner] = [await register(wall), await registerModerator(wall, 'owner')];
  await registerModerator(wall, 'owner');
  await confirm(wall, owner);
  assert.deepEqual([await roleOf(owner), await roleOf(person)], ['owner', undefined]);
  await admin(wall.db, 'dismiss-moderator', owner.username, '--reason', 'проверка');
  assert.equal(await roleOf(owner), undefined);
  await appoint(wall, owner, 'owner');
  assert.deepEqual(await outcome(appointPerson(owner, person)), [403, 'CONFIRMATION_REQUIRED']);
});

onWall('the link of an empty wall makes one person its owner', async (wall) => {
  const code = (await printed(wall))!;
  const [anna, boris] = [await register(wall), await register(wall)];
  assert.equal(await printed(wall), undefined, 'the wall is not empty');
  assert.equal((await wall.get(`/owner/${code}`)).status, 200);
  const damaged = code.replace(/^\d/, (digit) => String((Number(digit) + 1) % 10));
  for (const wrong of [damaged, 'x', `${code}x`]) {
    assert.deepEqual(await become(anna, wrong), missing);
    assert.equal((await wall.get(`/owner/${wrong}`)).status, 404);
  }
  const outcomes = await Promise.all([become(anna, code), become(boris, code)]);
  const sorted = outcomes.toSorted(([a], [b]) => a - b);
  assert.deepEqual(sorted, [[204], missing]);
  const [owner, other] = (await roleOf(anna)) === 'owner' ? [anna, boris] : [boris, anna];
  assert.equal(await roleOf(other), undefined);
  assert.equal((await wall.get(`/owner/${code}`)).status, 404);
  const [{ action, by, by_id: id, target }] = (await journal(owner)) as [Awaited<ReturnType<typeof journal>>[0]];
  assert.deepEqual([action, by, id, target], ['appoint-owner', owner.username, owner.id, owner.username]);
});

onWall('the link is printed while only imported people are there, and opens a closed registration', async (wall) => {
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
  const { json } = await browser.send('GET', '/users/current');
  assert.equal(json().role, 'owner');
  assert.deepEqual(await become(browser, code), missing);
  assert.deepEqual(await outcome(start(openBrowser(wall), newAddress(), code)), [400, 'REGISTRATION_CLOSED']);
});

onWall('the link works once and for a day: it does not come back when the last owner is gone', async (wall) => {
  const [late, code] = [(await printed(wall))!, (await newOwnerCode(wall.db, secrets, wall.clock.now + day))!];
  const [anna, boris] = [await register(wall), await register(wall)];
  wall.clock.now += day;
  for (const each of [anna, boris]) await renew(each);
  assert.deepEqual(await become(anna, late), missing);
  assert.deepEqual(await become(anna, code), [204]);
  await wall.db.tx(({ db }) => db.updateTable('users').set({ role: null }).execute());
  assert.equal((await wall.get(`/owner/${code}`)).status, 404);
  assert.deepEqual(await become(boris, code), missing);
});

onWall('the last owner appoints another one before the account can be deleted', async (wall) => {
  const owner = await registerModerator(wall, 'owner');
  const refused = await startDeletion(owner);
  assert.deepEqual([refused.statusCode, refused.json().code], [403, 'FORBIDDEN'], refused.body);
  assert.match(refused.json().message, /последний владелец[^]*назначьте другого/);
  // Two leave at once: each time one of them stays.
  let stays = owner;
  for (let turn = 0; turn < 20; turn += 1) {
    const both = [stays, await registerModerator(wall, 'owner')];
    const codes: Array<Parameters<typeof verifyDeletion>> = [];
    for (const each of both) {
      const { id } = (await startDeletion(each)).json();
      codes.push([each, id, await wall.mail.codeTo(each.email)]);
    }
    const left = await Promise.all(codes.map((code) => outcome(verifyDeletion(...code))));
    const sorted = left.toSorted(([a], [b]) => a - b);
    assert.deepEqual(sorted, [[204], [403, 'FORBIDDEN']], `turn ${turn}`);
    stays = both[left.findIndex(([status]) => status === 403)]!;
  }
});

onWall('owners appoint and dismiss with a fresh code; the last owner stays', async (wall) => {
  const [owner, anna] = [await registerModerator(wall, 'owner'), await register(wall)];
  await confirm(wall, owner);
  assert.deepEqual(await outcome(appointPerson(owner, anna)), [200]);
  assert.equal(await roleOf(anna), 'moderator');
  const last = await dismiss(owner, owner);
  assert.deepEqual([last.statusCode, last.json().code], [403, 'FORBIDDEN']);
  assert.match(last.json().message, /последний владелец/);
  assert.deepEqual(await outcome(appointPerson(owner, anna, true)), [200]);
  assert.equal(await roleOf(anna), 'owner');
  await confirm(wall, anna);
  // Each dismisses the other at once: one of them stays.
  const both = await Promise.all([dismiss(owner, anna), dismiss(anna, owner)]);
  assert.ok(both.every(({ statusCode }) => [200, 403, 404].includes(statusCode)));
  const owners = [];
  for (const each of [owner, anna]) if ((await roleOf(each)) === 'owner') owners.push(each);
  assert.equal(owners.length, 1);
  assert.deepEqual(await actions(owners[0]!), ['appoint', 'appoint-owner', 'dismiss-moderator']);
});
