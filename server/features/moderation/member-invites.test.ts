import assert from 'node:assert/strict';
import { actions, appoint, confirm } from '../../../test/kit/desk.ts';
import {
  admits,
  branchOf,
  registerInvitedBy,
  codeOf,
  registerInvited,
  day,
  setMode,
  make,
  own,
  registerModeratorIn,
  allowInviting,
  newInviter,
} from '../../../test/kit/invitations.ts';
import { deleteAccount, type Member, outcome, register } from '../../../test/kit/member.ts';
import { seedOf } from '../../../test/kit/seed.ts';
import { device, newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';

const onWall = onWalls({ RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' }, 'invitations of members');

onWall('are for those who have been here long enough and have written, and say what is missing', async (wall) => {
  const anna = await register(wall);
  const refused = async () => {
    const { left, refused: why, next_at: at } = await own(anna);
    assert.equal(left, 0);
    assert.deepEqual(await outcome(make(anna)), [403, 'FORBIDDEN']);
    assert.equal((await make(anna)).json().message, why);
    return [why, at] as const;
  };
  assert.match((await refused())[0]!, /может каждый/);
  await setMode(wall, 'invite');
  assert.match((await refused())[0]!, /те, кто её ведёт/);
  await setMode(wall, 'closed');
  assert.match((await refused())[0]!, /не заводят/);
  await setMode(wall, 'members');
  const rule = 'Приглашают те, кто на стене не меньше 14 дн. и у кого записей не меньше 5.';
  const since = wall.clock.now + 14 * day;
  const both = `${rule} Вам осталось подождать дней: 14 и написать записей: 5.`;
  assert.deepEqual(await refused(), [both, since]);
  await allowInviting(wall, anna, 14, 4);
  assert.deepEqual(await refused(), [`${rule} Вам осталось написать записей: 1.`, null]);
  await allowInviting(wall, anna, 13, 5);
  assert.deepEqual(await refused(), [`${rule} Вам осталось подождать дней: 1.`, wall.clock.now + day]);
  await allowInviting(wall, anna);
  assert.deepEqual(await own(anna), { invitations: [], left: 3, refused: null, next_at: null });
});

onWall('are three a month, exactly, however many are asked for at once', async (wall) => {
  await setMode(wall, 'members');
  const [anna, vera] = [await newInviter(wall), await newInviter(wall)];
  // A repeated request makes one invitation.
  const again = () => vera.send('POST', '/users/current/invitations', undefined, { 'idempotency-key': 'k' });
  for (const { statusCode } of [await again(), await again()]) assert.equal(statusCode, 201);
  assert.equal((await own(vera)).left, 2);
  const statuses = (await Promise.all(Array.from({ length: 20 }, () => make(anna)))).map((made) => made.statusCode);
  assert.equal(statuses.filter((status) => status === 201).length, 3);
  assert.equal(statuses.filter((status) => status === 403).length, 17);
  const { invitations, left, next_at: at, refused } = await own(anna);
  assert.deepEqual([invitations.length, left, at], [3, 0, wall.clock.now + 30 * day]);
  assert.match(refused!, /в месяц их 3\. Следующая — через 30 дн\./);
  assert.equal(new Set(invitations.map(({ code }) => code)).size, 3);
  // An ended invitation still counts as made.
  const ended = await anna.send('DELETE', `/users/current/invitations/${invitations[0]!.id}`);
  assert.deepEqual([ended.statusCode, ended.json().invitations.length, ended.json().left], [200, 2, 0]);
  const moderator = await registerModeratorIn(wall);
  for (let n = 0; n < 5; n += 1) assert.equal((await make(moderator)).statusCode, 201);
  assert.equal((await own(moderator)).left, null);
  const created_at = wall.clock.now - 30 * day;
  await wall.db.tx(({ db }) => db.updateTable('invites').set({ created_at }).execute());
  assert.equal((await own(anna)).left, 3);
});

onWall('admit one person, who is recorded with the inviter; their maker reads them again', async (wall) => {
  await setMode(wall, 'members');
  const anna = await newInviter(wall);
  const moderator = await registerModeratorIn(wall);
  const code = await codeOf(anna);
  const [open] = (await own(anna)).invitations;
  assert.deepEqual([open!.code, open!.is_open, open!.used_by], [code, true, null]);
  assert.ok(open!.url.endsWith(`/join/${code}`), open!.url);
  assert.ok(!JSON.stringify(await wall.db.read.selectFrom('invites').selectAll().execute()).includes(code));
  const boris = await registerInvited(wall, code);
  assert.equal(await admits(wall, code), false);
  const [used] = (await own(anna)).invitations;
  assert.deepEqual([used!.is_open, used!.used_by], [false, boris.username]);
  assert.deepEqual((await branchOf(moderator, boris)).inviter, {
    username: anna.username,
    display_name: null,
    face: null,
  });
  const gone = anna.send('DELETE', `/users/current/invitations/${used!.id}`);
  assert.deepEqual(await outcome(gone), [404, 'NOT_FOUND']);

  const second = await codeOf(anna);
  const { id } = (await own(anna)).invitations[0]!;
  assert.equal(await admits(wall, second), true);
  await anna.send('DELETE', `/users/current/invitations/${id}`);
  assert.equal(await admits(wall, second), false);

  await make(anna);
  const line = { created_at: wall.clock.now, is_open: false, used_at: null, used_by: null };
  const came = { ...line, used_at: wall.clock.now, used_by: boris.username };
  const exportOf = async (by: Member) => (await by.send('GET', '/users/current/export')).json().invitations;
  assert.deepEqual(await exportOf(anna), [came, line, { ...line, is_open: true }]);
  assert.deepEqual(await exportOf(boris), []);
});

onWall('work as the mode says and while their maker is there; those of keepers longer', async (wall) => {
  await setMode(wall, 'members');
  const anna = await newInviter(wall);
  const moderator = await registerModeratorIn(wall);
  const [code, keepers] = [await codeOf(anna), await codeOf(moderator)];
  const made = await moderator.send('POST', '/moderation/invites', { count: 1, seats: 9, reason: 'двор' });
  const sheet = made.json().codes[0] as string;
  const admitted = async () => [await admits(wall, code), await admits(wall, keepers), await admits(wall, sheet)];
  assert.deepEqual(await admitted(), [true, true, true]);
  await setMode(wall, 'invite');
  assert.deepEqual(await admitted(), [false, true, true]);
  await setMode(wall, 'closed');
  assert.deepEqual(await admitted(), [false, false, false]);
  const start = (invite?: string) => {
    const body = { email: newAddress(), clientToken: 'x', device, ...(invite && { invite }) };
    return openBrowser(wall).send('POST', '/registrations', body);
  };
  for (const answer of [await start(), await start(sheet)]) assert.match(answer.json().message, /не заводят/);
  await setMode(wall, 'members');
  assert.match((await start()).json().message, /от участника/);
  await confirm(wall, moderator);
  const path = `/moderation/people/${anna.username}`;
  await moderator.send('POST', `${path}/block`, { reason: 'спам', remove_posts: false });
  assert.deepEqual(await admitted(), [false, true, true]);
  await moderator.send('POST', `${path}/unblock`, { reason: 'ошибка', restore_posts: false });
  assert.deepEqual(await admitted(), [true, true, true]);
  const again = openBrowser(wall);
  await again.enter('logins', anna.email);
  await deleteAccount(wall, Object.assign(again, { ...anna, ...again }));
  assert.deepEqual(await admitted(), [false, true, true]);
});

onWall('whose branch may not invite makes none, and its links admit nobody until that is undone', async (wall) => {
  await setMode(wall, 'members');
  const moderator = await registerModeratorIn(wall);
  const anna = await newInviter(wall);
  const boris = await registerInvitedBy(wall, anna);
  const [vera, other] = [await registerInvitedBy(wall, boris), await newInviter(wall)];
  const codes = [await codeOf(anna), await codeOf(vera)];
  const right = (method: 'PUT' | 'DELETE') =>
    moderator.send(method, `/moderation/people/${anna.username}/inviting`, { reason: 'приводит ботов' });
  const ended = await right('DELETE');
  assert.equal(ended.statusCode, 200, ended.body);
  assert.equal((await right('DELETE')).json().act_id, null);
  for (const code of codes) assert.equal(await admits(wall, code), false);
  for (const member of [anna, boris, vera]) {
    assert.match((await own(member)).refused!, /больше не приглашаете/);
    assert.equal((await make(member)).statusCode, 403);
  }
  assert.equal((await make(other)).statusCode, 201);
  const mayInvite = async (who: Member) => (await branchOf(moderator, who)).may_invite;
  assert.deepEqual([await mayInvite(anna), await mayInvite(vera), await mayInvite(other)], ['no', 'branch', 'yes']);
  const undone = await moderator.send('POST', `/moderation/journal/${ended.json().act_id}/undo`, { reason: 'зря' });
  assert.equal(undone.statusCode, 200, undone.body);
  for (const code of codes) assert.equal(await admits(wall, code), true);
  assert.equal((await right('PUT')).json().act_id, null);
  assert.deepEqual(await actions(moderator), ['end-inviting', 'allow-inviting +']);
  const keeper = moderator.send('DELETE', `/moderation/people/${moderator.username}/inviting`, { reason: 'x' });
  assert.deepEqual(await outcome(keeper), [403, 'FORBIDDEN']);
});

onWall('a branch is blocked without keepers, a hundred people at once, each to be undone alone', async (wall) => {
  await setMode(wall, 'members');
  const moderator = await registerModeratorIn(wall);
  const anna = await newInviter(wall);
  const boris = await registerInvitedBy(wall, anna);
  const keeper = await registerInvitedBy(wall, boris);
  const vera = await registerInvitedBy(wall, keeper);
  await appoint(wall, keeper);
  const seed = seedOf(wall.db);
  for (let n = 0; n < 101; n += 1) await seed.invited(await wall.person(`raid_${n}`), Number(anna.id));
  const block = ({ username } = anna) => {
    const body = { reason: 'набег', remove_posts: false };
    return moderator.send('POST', `/moderation/people/${username}/branch/block`, body);
  };
  assert.deepEqual(await outcome(block()), [403, 'CONFIRMATION_REQUIRED']);
  await confirm(wall, moderator);
  for (const [blocked, remaining] of [
    [100, 3],
    [3, 0],
    [0, 0],
  ]) {
    assert.deepEqual((await block()).json(), { blocked, remaining });
  }
  const blockedIds = async () => {
    const blocked = wall.db.read.selectFrom('users').select('id').where('blocked_at', 'is not', null);
    return (await blocked.execute()).map(({ id }) => String(id));
  };
  const ids = await blockedIds();
  assert.deepEqual([ids.length, ids.includes(keeper.id), ids.includes(vera.id)], [103, false, false]);
  const { people, more } = await branchOf(moderator, anna);
  assert.deepEqual([people.length, more], [100, true]);
  const acts = await wall.db.read.selectFrom('operator_log').selectAll().where('action', '=', 'block').execute();
  assert.equal(acts.length, 103);
  const { id } = acts.find(({ target_id: target }) => String(target) === boris.id)!;
  const undone = await moderator.send('POST', `/moderation/journal/${id}/undo`, { reason: 'не он' });
  assert.equal(undone.statusCode, 200, undone.body);
  assert.equal((await blockedIds()).length, 102);
  assert.deepEqual(await outcome(block(keeper)), [403, 'FORBIDDEN']);
});

onWall('somebody who has left stays in the tree without a name', async (wall) => {
  await setMode(wall, 'members');
  const moderator = await registerModeratorIn(wall);
  const anna = await newInviter(wall);
  const boris = await registerInvitedBy(wall, anna);
  const vera = await registerInvitedBy(wall, boris);
  await allowInviting(wall, boris, 0, 0);
  wall.clock.now += 61;
  await deleteAccount(wall, boris);
  const { people } = await branchOf(moderator, anna);
  const tree = people.map(({ username, level, by }) => [username, level, by]);
  assert.deepEqual(tree, [
    [null, 1, anna.username],
    [vera.username, 2, null],
  ]);
  assert.deepEqual((await branchOf(moderator, vera)).inviter, { username: null, display_name: null, face: null });
});
