import assert from 'node:assert/strict';
import { journal, registerModerator } from '../../../test/kit/desk.ts';
import { closeGate, hold } from '../../../test/kit/gate.ts';
import { branchOf } from '../../../test/kit/invitations.ts';
import { type Member, outcome, publish, putWord, register } from '../../../test/kit/member.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { seedOf } from '../../../test/kit/seed.ts';
import { device, newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { type Wall } from '../../../test/kit/wall.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { setRegistrationMode } from '../moderation/invites.ts';
import { actForgetImported } from '../moderation/desk/perform.ts';

interface Imported {
  id: number;
  username: string;
  code: string;
  postId: number;
}

/** A person with a post and a reply, as an import leaves them. */
async function imported(wall: Wall, username = 'boris_schukin'): Promise<Imported> {
  const person = await seedOf(wall.db).imported(username);
  const postId = await wall.post(person.id, 'перенесённая запись');
  await wall.reply(person.id, postId, 'перенесённый ответ');
  return { ...person, username, postId };
}

const take = (member: Member, code: string) => outcome(member.send('POST', `/claims/${code}`));
const me = async (member: Pick<Member, 'send'>) => (await member.send('GET', '/users/current')).json();
const claimOf = async (wall: Wall, code: string) => (await wall.get(`/api/v1/claims/${code}`)).json;

async function registerWith(wall: Wall, code: string, email: string) {
  const browser = openBrowser(wall);
  const body = { email, clientToken: browser.clientToken, device, invite: code };
  const started = await browser.send('POST', '/registrations', body);
  assert.equal(started.statusCode, 201, started.body);
  await browser.verify('registrations', started.json().id, await wall.mail.codeTo(email));
  return browser;
}

const onWall = onWalls({ RATE_LIMITS: 'off' }, 'imported accounts');

onWall('whoever registers by the link gets the account, also where registration is closed', async (wall) => {
  await wall.db.tx((tx) => setRegistrationMode(tx, 'invite'));
  const { id, username, code } = await imported(wall);
  assert.deepEqual(await claimOf(wall, code), {
    user: { id: String(id), username, display_name: null, face: null },
    posts_count: 1,
    replies_count: 1,
    is_claimed: false,
  });
  assert.equal((await wall.get(`/api/v1/users/${username}`)).json.has_never_come, true);
  const email = newAddress();
  const { id: now, email: of } = await me(await registerWith(wall, code, email));
  assert.deepEqual([now, of], [String(id), email]);
  assert.equal((await wall.get(`/api/v1/users/${username}`)).json.has_never_come, undefined);
  assert.equal((await claimOf(wall, code)).is_claimed, true);
  // The code has been used, so it admits nobody else.
  const late = openBrowser(wall);
  const body = { email: newAddress(), clientToken: late.clientToken, device, invite: code };
  assert.deepEqual(await outcome(late.send('POST', '/registrations', body)), [400, 'REGISTRATION_CLOSED']);
});

onWall('somebody without posts gets the account, with session, address, role and what was saved', async (wall) => {
  const { id, code, postId } = await imported(wall);
  const member = await registerModerator(wall);
  await member.send('PUT', `/posts/${postId}/bookmark`);
  await member.send('PUT', `/users/current/mutes/${id}`);
  await member.send('POST', `/posts/${postId}/likes`);
  await putWord(member, 'лифт');
  assert.deepEqual(await take(member, code), [204]);
  const { id: now, email, role } = await me(member);
  assert.deepEqual([now, email, role], [String(id), member.email, 'moderator']);
  const [saved, ...others] = (await member.send('GET', '/users/current/bookmarks')).json().posts;
  assert.deepEqual([saved.id, others], [String(postId), []]);
  assert.deepEqual((await member.send('GET', '/users/current/words')).json().words.length, 1);
  assert.equal((await wall.get(`/api/v1/users/${member.username}`)).status, 404);
  assert.deepEqual(await take(member, code), [404, 'NOT_FOUND']);
  wall.clock.now += 61;
  await runJobs(wall.db, wall.clock.now);
  assert.equal((await wall.get(`/api/v1/posts/${postId}`)).json.actions.likes_count, 0);
  assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
  assert.equal((await me(member)).id, String(id));
});

onWall('a waiting post and a warning go over with the account, and the journal has the claim', async (wall) => {
  const { id, username, code } = await imported(wall);
  const [owner, member] = [await closeGate(wall), await register(wall)];
  await hold(member, 'жду');
  const warned = await owner.send('POST', `/moderation/people/${member.username}/warning`, { reason: 'Не шумите' });
  assert.equal(warned.statusCode, 200, warned.body);
  assert.deepEqual(await take(member, code), [204]);
  wall.clock.now += 61;
  await runJobs(wall.db, wall.clock.now);
  const { pending } = (await member.send('GET', '/posts/removed')).json();
  assert.deepEqual([(await me(member)).id, pending.length], [String(id), 1]);
  assert.equal((await me(member)).warning, 'Не шумите');
  await member.send('DELETE', '/users/current/warning');
  const [warn, claim, ...later] = (await journal(owner)).slice(1);
  assert.deepEqual([warn!.action, warn!.target, warn!.undo], ['warn', member.username, false]);
  assert.deepEqual([claim!.action, claim!.target, claim!.undo], ['claim', username, false]);
  assert.deepEqual(claim!.details, { from: member.username });
  assert.deepEqual([later.length, later[0]!.action], [1, 'read-warning']);
  await registerWith(wall, (await imported(wall, 'galina_s')).code, newAddress());
  assert.deepEqual((await journal(owner)).at(-1)?.action, 'claim');
});

onWall('who invited whom, and who may not invite, go over with the account', async (wall) => {
  const { username, code } = await imported(wall);
  const [moderator, inviter, member] = [await registerModerator(wall), await register(wall), await register(wall)];
  const seed = seedOf(wall.db);
  await seed.invited(Number(member.id), Number(inviter.id));
  await seed.invited(await wall.person('galina'), Number(member.id));
  const ended = await moderator.send('DELETE', `/moderation/people/${member.username}/inviting`, { reason: 'чужие' });
  assert.equal(ended.statusCode, 200, ended.body);
  assert.deepEqual(await take(member, code), [204]);
  const branch = await branchOf(moderator, { username });
  assert.deepEqual([branch.inviter?.username, branch.may_invite], [inviter.username, 'no']);
  assert.deepEqual(
    branch.people.map((person) => person.username),
    ['galina'],
  );
  assert.deepEqual(
    await outcome(moderator.send('POST', `/moderation/journal/${ended.json().act_id}/undo`, { reason: 'ошибка' })),
    [200],
  );
  assert.equal((await branchOf(moderator, { username })).may_invite, 'yes');
});

onWall('somebody with posts keeps them, and a wrong code leads nowhere', async (wall) => {
  const { code } = await imported(wall);
  const member = await register(wall);
  await publish(member, 'своя запись');
  assert.deepEqual(await take(member, code), [403, 'FORBIDDEN']);
  for (const wrongCode of [code.replace(/^\d+/, '77'), `${code}x`, code.slice(0, -1), 'x', '%00', '1-']) {
    assert.deepEqual(await take(member, wrongCode), [404, 'NOT_FOUND'], wrongCode);
    assert.equal((await wall.get(`/api/v1/claims/${wrongCode}`)).status, 404, wrongCode);
  }
  assert.equal((await me(member)).id, member.id);
});

onWall('moderators find the people who have not come by their names, with a link for each', async (wall) => {
  const { username, code } = await imported(wall);
  await imported(wall, 'anna_ivanova');
  const moderator = await registerModerator(wall);
  const list = async (query: Record<string, string>) =>
    (await moderator.send('GET', `/moderation/people?${new URLSearchParams(query)}`)).json().people;
  assert.equal((await list({ state: 'imported' })).length, 2);
  const [found, ...others] = await list({ state: 'imported', q: 'Борис Щ' });
  assert.deepEqual([others, found.username], [[], username]);
  assert.match(found.claim_url, new RegExp(`^http://.*/claim/${code}$`));
  const own = (await list({ q: moderator.username }))[0];
  assert.equal(own.claim_url, null);
});

onWall('what was imported is forgotten on request, and then nobody can claim it', async (wall) => {
  const { id, code, postId } = await imported(wall);
  const by = { at: wall.clock.now, operator: 'root', reason: 'просьба' };
  const forget = () => wall.db.tx((tx) => actForgetImported(tx, id, by, {}));
  assert.ok('actId' in (await forget()));
  assert.equal((await wall.get(`/api/v1/posts/${postId}`)).status, 404);
  assert.deepEqual(await forget(), { refused: 'already' });
  assert.deepEqual(await take(await register(wall), code), [404, 'NOT_FOUND']);
  wall.clock.now += 61;
  await runJobs(wall.db, wall.clock.now);
  assert.deepEqual(await wall.db.read.selectFrom('posts').selectAll().execute(), []);
  assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
});

onWall('a mention of somebody who has not come mails nothing', async (wall) => {
  const { username, postId } = await imported(wall);
  const member = await register(wall);
  const before = wall.mail.received.length;
  await publish(member, `@${username}, это вы?`, `/posts/${postId}/replies`);
  wall.clock.now += 8 * 24 * 3_600;
  await runJobs(wall.db, wall.clock.now);
  const queued = wall.db.read.selectFrom('outbox').select('id').where('recipient', 'like', 'imported%');
  assert.deepEqual(await queued.execute(), []);
  assert.equal(wall.mail.received.length, before);
});
