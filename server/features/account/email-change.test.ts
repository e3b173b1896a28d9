import assert from 'node:assert/strict';
import {
  type Member,
  outcome,
  register,
  signInElsewhere,
  startEmailChange,
  verifyEmailChange,
} from '../../../test/kit/member.ts';
import { newAddress, openBrowser, wrong } from '../../../test/kit/sign-in.ts';
import { notOnLocalhost } from '../../../test/kit/wall.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';

const taken = [400, 'EMAIL_ALREADY_EXISTS'];

const onWall = onWalls({}, 'a change of address');
const onWallOfDays = onWalls({ ACCESS_TOKEN_SECONDS: '200000', CODE_TTL_SECONDS: '3600' }, 'a change of address');

onWall('is confirmed by a code sent to the new address and reported to the old one, in any session', async (wall) => {
  // The session was opened a moment ago, on a device that is new to the account.
  const anna = await signInElsewhere(wall, await register(wall));
  const to = newAddress();
  const { id } = (await startEmailChange(anna, ` ${to.toUpperCase()} `)).json();
  const emailNow = async () => (await anna.send('GET', '/users/current')).json().email;
  assert.equal(await emailNow(), anna.email, 'not yet');
  const verified = await verifyEmailChange(anna, id, await wall.mail.codeTo(to));
  assert.deepEqual([verified.statusCode, verified.json()], [200, { email: to }]);
  assert.equal(await emailNow(), to);

  const { text } = await wall.mail.mailTo(anna.email, (mail) => mail.text.includes('изменили'));
  assert.match(text, /изменили на p\*\*\*@example\.org/);
  assert.match(text, /http:\/\/localhost:3000\/undo-email\?token=/);
  assert.doesNotMatch(text.replace(/token=\S+/, ''), /\d{6}/);
  assert.doesNotMatch(text, new RegExp(to), 'the old mailbox does not receive the new address');

  wall.clock.now += 61;
  const browser = openBrowser(wall);
  assert.deepEqual(await outcome(browser.start('logins', anna.email)), [400, 'USER_NOT_FOUND']);
  await browser.enter('logins', to);
  assert.equal((await browser.send('GET', '/users/current')).json().id, anna.id);
});

onWall('refuses what is no address, and one that belongs to an account, also since its code was sent', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  for (const email of [boris.email, boris.email.toUpperCase(), anna.email]) {
    assert.deepEqual(await outcome(startEmailChange(anna, email)), taken);
  }
  for (const malformed of ['anna', 'a@b', 'victim@x.ru,evil@y.ru']) {
    const refused = await startEmailChange(anna, malformed);
    const body = { code: 'INVALID_REQUEST', message: 'Введите корректный email' };
    assert.deepEqual([refused.statusCode, refused.json()], [400, body]);
  }
  const wanted = newAddress();
  const { id } = (await startEmailChange(anna, wanted)).json();
  const code = await wall.mail.codeTo(wanted);
  await register(wall, wanted);
  assert.deepEqual(await outcome(verifyEmailChange(anna, id, code)), taken);
  assert.equal((await anna.send('GET', '/users/current')).json().email, anna.email);
  assert.deepEqual(await outcome(verifyEmailChange(anna, id, code)), [400, 'OPERATION_EXPIRED'], 'used');
});

onWall('gives an address confirmed by many people at once to one of them', async (wall) => {
  const wanted = newAddress();
  const attempts: Array<Parameters<typeof verifyEmailChange>> = [];
  for (let i = 0; i < 5; i += 1) {
    const anna = await register(wall);
    attempts.push([anna, (await startEmailChange(anna, wanted)).json().id, await wall.mail.codeTo(wanted)]);
    wall.clock.now += 60;
  }
  const outcomes = await Promise.all(attempts.map((attempt) => outcome(verifyEmailChange(...attempt))));
  const sorted = outcomes.toSorted(([a], [b]) => a - b);
  assert.deepEqual(sorted, [[200], taken, taken, taken, taken]);
});

onWallOfDays('limits the codes to one address for all accounts and devices together', async (wall) => {
  const members = await Promise.all(Array.from({ length: 12 }, () => register(wall)));
  const to = newAddress();
  const started: Array<Parameters<typeof verifyEmailChange>> = [];
  const start = async (by: Member): Promise<number> => {
    const response = await startEmailChange(by, to);
    if (response.statusCode === 201) started.push([by, response.json().id, wrong(await wall.mail.codeTo(to))]);
    return response.statusCode;
  };
  const burst = [];
  for (const each of members) burst.push(await start(each));
  assert.deepEqual(burst, [201, ...Array<number>(11).fill(429)], 'one code a minute');
  const later = [];
  for (const each of members.slice(1, 11)) {
    wall.clock.now += 60;
    later.push(await start(each));
  }
  assert.deepEqual(later, [...Array<number>(9).fill(201), 429], 'ten codes an hour');
  const codes = [];
  for (const each of started) for (const _ of '12345') codes.push((await outcome(verifyEmailChange(...each)))[1]);
  assert.equal(codes.filter((code) => code !== 'TOO_MANY_REQUESTS').length, 10, 'ten wrong codes an hour');
});

onWallOfDays('reveals at most twenty taken addresses a day to one account', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  for (let i = 0; i < 20; i += 1) {
    assert.deepEqual(await outcome(startEmailChange(anna, boris.email)), taken);
    wall.clock.now += 60;
  }
  const refused = async (email: string) => {
    const { statusCode, headers, body } = await startEmailChange(anna, email);
    assert.deepEqual([statusCode, headers['retry-after']], [429, String(86_400 - 1_200)]);
    return body;
  };
  const known = await refused(boris.email);
  // The budget belongs to the person, not to the network.
  anna.ip = '10.99.0.1';
  assert.equal(await refused(newAddress()), known, 'the status does not distinguish a free address');
  assert.deepEqual(await outcome(startEmailChange(boris, anna.email)), taken);
  wall.clock.now += 86_400;
  assert.deepEqual(await outcome(startEmailChange(anna, newAddress())), [201]);
  assert.deepEqual(await outcome(startEmailChange(anna, boris.email)), taken);
});

onWalls(notOnLocalhost)('reveals at most sixty taken addresses an hour to one network', async (wall) => {
  const members = await Promise.all(Array.from({ length: 5 }, () => register(wall)));
  const { email } = members[0]!;
  for (const each of members) each.ip = '10.98.0.1';
  const codes: string[] = [];
  for (let i = 0; i < 61; i += 1) {
    const { statusCode, json, headers } = await startEmailChange(members[Math.floor(i / 20)]!, email);
    codes.push(json().code);
    if (statusCode === 429) assert.ok(Number(headers['retry-after']) > 0);
  }
  assert.deepEqual(codes, [...Array<string>(60).fill('EMAIL_ALREADY_EXISTS'), 'TOO_MANY_REQUESTS']);
  members[4]!.ip = '10.98.0.2';
  assert.deepEqual(await outcome(startEmailChange(members[4]!, email)), taken);
});
