import assert from 'node:assert/strict';
import type { Invite } from '#contract/moderation.ts';
import { journal, registerModerator } from '../../../test/kit/desk.ts';
import { setMode } from '../../../test/kit/invitations.ts';
import { deleteAccount, type Member, outcome, register } from '../../../test/kit/member.ts';
import { type Browser, device, newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { notOnLocalhost, type Wall } from '../../../test/kit/wall.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { addInvites, listInvites, newInviteCode } from './invites.ts';

const standard = 'Нужно приглашение от модератора. Введите код, который вам дали.';
const unfit = 'Код приглашения не подошёл. Проверьте его или попросите новый.';

/** An invitation of the operator. */
async function invite({ db, clock }: Wall): Promise<string> {
  const code = newInviteCode();
  await db.tx((tx) => addInvites(tx, [code], 'для соседей', clock.now));
  return code;
}

const start = ({ send, clientToken }: Browser, email: string, code?: string) =>
  send('POST', '/registrations', { email, clientToken, device, ...(code !== undefined && { invite: code }) });

/** Starts a registration. Resolves to the function that ends it with the mailed code. */
async function begin(wall: Wall, { code, email = newAddress() }: { code?: string | undefined; email?: string } = {}) {
  const browser = openBrowser(wall);
  const started = await start(browser, email, code);
  assert.equal(started.statusCode, 201, started.body);
  const confirmCode = await wall.mail.codeTo(email);
  return () => browser.verify('registrations', started.json().id, confirmCode);
}

/** Finishes many registrations together. They begin one by one, because a busy machine would refuse many mails at once. */
async function finishTogether(wall: Wall, times: number, code: string) {
  const finishes: Array<Awaited<ReturnType<typeof begin>>> = [];
  for (let i = 0; i < times; i += 1) finishes.push(await begin(wall, { code }));
  return Promise.all(finishes.map((finish) => finish()));
}

const admits = async (wall: Wall, code?: string) => (await (await begin(wall, { code }))()).statusCode === 200;
const pageStatus = async (wall: Wall, code: string) => (await wall.get(`/join/${code}`)).status;
const peopleOf = async ({ db }: Wall) => (await db.read.selectFrom('users').select('id').execute()).length;
const stored = async ({ db }: Wall) => JSON.stringify(await db.read.selectFrom('invites').selectAll().execute());
const list = async (by: Member): Promise<Invite[]> => (await by.send('GET', '/moderation/invites')).json().invites;
const make = async (by: Member, seats: number, count = 1): Promise<[string, string]> =>
  (await by.send('POST', '/moderation/invites', { count, seats, reason: 'листок' })).json().codes;
const end = (by: Member, { id }: { id: string }) =>
  by.send('DELETE', `/moderation/invites/${id}`, { reason: 'не туда' });

const onWall = onWalls({ CODE_RESEND_SECONDS: '0' }, 'registration by invitation');
const onFreeWall = onWalls({ RATE_LIMITS: 'off' }, 'registration by invitation');

onWall('is refused without a valid code, and reveals nothing about the address', async (wall) => {
  const anna = await register(wall);
  await setMode(wall, 'invite');
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

onWalls(notOnLocalhost, 'registration by invitation')('guesses of codes spend the budget of starts', async (wall) => {
  await setMode(wall, 'invite');
  const browser = openBrowser(wall);
  const statuses: number[] = [];
  for (let i = 0; i < 61; i += 1) statuses.push((await start(browser, newAddress(), `ABCDE-${i}`)).statusCode);
  assert.deepEqual(statuses, [...Array<number>(60).fill(400), 429]);
});

onWall('a code, however it is typed, admits one person, and only its hash is stored', async (wall) => {
  await setMode(wall, 'invite');
  const code = await invite(wall);
  assert.match(code, /^[2-9A-HJKMNP-Z]{5}-[2-9A-HJKMNP-Z]{5}$/);
  assert.ok(await admits(wall, ` ${code.toLowerCase().replace('-', ' – ')} `));
  const [row] = await listInvites(wall.db.read, 10);
  assert.deepEqual([row!.note, row!.used_at], ['для соседей', wall.clock.now]);
  assert.match(row!.used_by!, /^user_/);
  for (const spelt of [code, code.replace('-', '')]) assert.ok(!(await stored(wall)).includes(spelt));
  const refused = await start(openBrowser(wall), newAddress(), code);
  assert.deepEqual(refused.json(), { code: 'REGISTRATION_CLOSED', message: unfit });
});

onWall('a known address signs in and leaves the code unused', async (wall) => {
  const { email } = await register(wall);
  wall.clock.now += 61;
  await setMode(wall, 'invite');
  const code = await invite(wall);
  assert.equal((await (await begin(wall, { code, email }))()).statusCode, 200);
  assert.ok(await admits(wall, code));
  assert.equal(await peopleOf(wall), 2);
});

onWall('one code used by thirty registrations at once creates one account', async (wall) => {
  await setMode(wall, 'invite');
  const responses = await finishTogether(wall, 30, await invite(wall));
  const refused = responses.filter(({ statusCode }) => statusCode !== 200);
  for (const one of refused) assert.deepEqual([one.statusCode, one.json().message], [400, unfit]);
  assert.deepEqual([refused.length, await peopleOf(wall)], [29, 1]);
});

onWall('one person with two codes on two devices uses one of them', async (wall) => {
  await setMode(wall, 'invite');
  const email = newAddress();
  const finishes = [
    await begin(wall, { code: await invite(wall), email }),
    await begin(wall, { code: await invite(wall), email }),
  ];
  for (const { statusCode } of await Promise.all(finishes.map((finish) => finish()))) assert.equal(statusCode, 200);
  const used = (await listInvites(wall.db.read, 10)).filter((row) => row.used_at !== null);
  assert.deepEqual([used.length, await peopleOf(wall)], [1, 1]);
});

onWall('a registration started while it was open is refused after it was closed', async (wall) => {
  const finish = await begin(wall);
  const finishWithCode = await begin(wall, { code: await invite(wall) });
  await setMode(wall, 'invite');
  const refused = await finish();
  assert.deepEqual([refused.statusCode, refused.json().message], [400, standard]);
  assert.equal((await finishWithCode()).statusCode, 200);
  assert.equal(await peopleOf(wall), 1);
  await setMode(wall, 'open');
  assert.ok(await admits(wall));
});

onFreeWall('a link for several people admits so many, says who invites, and ends', async (wall) => {
  const moderator = await registerModerator(wall);
  const [code] = await make(moderator, 3);
  const shown = async () => {
    const { status, json } = await wall.get(`/api/v1/invitations/${code}`);
    return [status, json.inviter];
  };
  assert.deepEqual(await shown(), [
    200,
    { id: moderator.id, username: moderator.username, display_name: null, face: null },
  ]);
  // The link counts its people also while everybody may register.
  assert.ok(await admits(wall, code));
  await setMode(wall, 'invite');
  const statuses = (await finishTogether(wall, 4, code)).map(({ statusCode }) => statusCode);
  const sorted = statuses.toSorted((a, b) => a - b);
  assert.deepEqual(sorted, [200, 200, 400, 400]);
  const [full] = await list(moderator);
  assert.deepEqual([full!.used, full!.seats], [3, 3]);
  assert.deepEqual([await shown(), await pageStatus(wall, code)], [[404, undefined], 404]);
  await setMode(wall, 'open');
  assert.ok(await admits(wall, code));
});

onFreeWall('its maker or an owner ends an invitation, and nobody comes by it afterwards', async (wall) => {
  const [owner, maker] = [await registerModerator(wall, 'owner'), await registerModerator(wall)];
  const other = await registerModerator(wall);
  await setMode(wall, 'invite');
  const [[first], [second]] = [await make(maker, 5), await make(maker, 5)];
  const mayEnd = async (by: Member) => (await list(by)).map((row) => row.may_end);
  assert.deepEqual([...(await mayEnd(other)), ...(await mayEnd(maker))], [false, false, true, true]);
  const [newer, older] = (await list(maker)) as [Invite, Invite];
  const finish = await begin(wall, { code: first });
  assert.ok(await admits(wall, first));
  assert.deepEqual(await outcome(end(maker, older)), [200]);
  // Somebody who began with the invitation before its end is refused too.
  assert.equal((await finish()).json().code, 'REGISTRATION_CLOSED');
  assert.deepEqual([await pageStatus(wall, first), await pageStatus(wall, second)], [404, 200]);
  assert.deepEqual(await outcome(end(owner, newer)), [200]);
  assert.equal(await pageStatus(wall, second), 404);
  assert.equal((await end(owner, newer)).json().act_id, null);
  const [left, used] = (await list(owner)) as [Invite, Invite];
  assert.deepEqual([left.seats, used.seats, used.used, used.may_end], [0, 1, 1, false]);
  const acts = (await journal(owner)).filter(({ action }) => action === 'end-invite');
  assert.deepEqual(
    acts.map(({ by, target, reason }) => [by, target, reason]),
    [maker, owner].map(({ username }) => [username, 'листок', 'не туда']),
  );
  assert.deepEqual(await outcome(end(owner, { id: '999' })), [404, 'NOT_FOUND']);
});

onFreeWall('a link is shown again to its maker and to owners while it admits, an older one never', async (wall) => {
  const [owner, maker] = [await registerModerator(wall, 'owner'), await registerModerator(wall)];
  const other = await registerModerator(wall);
  const [first, second] = await make(maker, 5, 2);
  const older = newInviteCode();
  const by = { seats: 5, made_by: Number(maker.id) };
  await wall.db.tx((tx) => addInvites(tx, [older], 'до обновления', wall.clock.now, by));
  const urls = async (member: Member) => (await list(member)).map(({ url }) => url?.split('/join/')[1] ?? null);
  assert.deepEqual(await urls(maker), [null, second, first]);
  assert.deepEqual(await urls(owner), [null, second, first]);
  assert.deepEqual(await urls(other), [null, null, null]);
  for (const code of [older, first]) assert.equal(await pageStatus(wall, code), 200);
  for (const spelt of [first, first.replace('-', '')]) assert.ok(!(await stored(wall)).includes(spelt));
  await end(maker, (await list(maker))[2]!);
  assert.deepEqual(await urls(maker), [null, second, null]);
});

onWall('an invitation of the operator, or of somebody who has left, names nobody', async (wall) => {
  const moderator = await registerModerator(wall);
  const [code] = await make(moderator, 1);
  await deleteAccount(wall, moderator);
  for (const each of [await invite(wall), code]) {
    assert.deepEqual((await wall.get(`/api/v1/invitations/${each}`)).json, { inviter: null, writers: [] });
  }
  const people: number[] = [];
  for (const name of ['anna_k', 'boris_k', 'clara_k', 'denis_k', 'elena_k']) people.push(await wall.person(name));
  for (const by of [...people, people[3]!]) await wall.post(by, 'Привет');
  const { writers } = (await wall.get(`/api/v1/invitations/${code}`)).json;
  assert.deepEqual(
    writers.map(({ username }: { username: string }) => username),
    ['denis_k', 'elena_k', 'clara_k', 'boris_k'],
    'who wrote last, each once',
  );
});

onFreeWall('a repeated request makes no other invitations, and shows the same codes', async (wall) => {
  const [moderator, other] = [await registerModerator(wall), await registerModerator(wall)];
  const codesOf = async (by: Member, key: string, count = 3): Promise<string[]> => {
    const body = { count, reason: 'соседям' };
    return (await by.send('POST', '/moderation/invites', body, { 'idempotency-key': key })).json().codes;
  };
  const again = () => codesOf(moderator, 'a');
  const [first, ...others] = await Promise.all([again(), again(), again()]);
  assert.equal(new Set(first).size, 3);
  assert.deepEqual(others, [first, first]);
  for (const count of [1, 5]) assert.deepEqual(await codesOf(moderator, 'a', count), first, 'another number');
  assert.notDeepEqual(await codesOf(other, 'a'), first);
  await codesOf(moderator, 'b');
  const acts = (await journal(moderator)).map(({ action, details }) => [action, details!['count']]);
  assert.equal(acts.join(' '), 'invite,3 invite,3 invite,3');
  const page = (await moderator.send('GET', '/moderation/invites?limit=8')).json();
  assert.deepEqual([page.registration, page.invites.length], ['open', 8]);
  const { id: _, url, ...newest } = page.invites[0];
  const unused = { note: 'соседям', created_at: wall.clock.now, used_at: null, used_by: null };
  assert.deepEqual(newest, { ...unused, seats: 1, used: 0, may_end: true });
  assert.match(url, /\/join\//);
  const rest = (await moderator.send('GET', `/moderation/invites?limit=8&cursor=${page.next}`)).json();
  assert.deepEqual([rest.invites.length, rest.next], [1, null]);
  const tooMany = moderator.send('POST', '/moderation/invites', { count: 51, reason: 'соседям' });
  assert.deepEqual(await outcome(tooMany), [400, 'INVALID_REQUEST']);
});
