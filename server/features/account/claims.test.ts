import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { registerModerator } from '../../../test/kit/desk.ts';
import { engines } from '../../../test/kit/engines.ts';
import { type Member, outcome, publish, register } from '../../../test/kit/member.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { seedOf } from '../../../test/kit/seed.ts';
import { device, newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { setRegistrationMode } from '../moderation/invites.ts';
import { actForgetImported } from './forget-imported.ts';

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

for (const engine of engines) {
  describe(`imported accounts on ${engine}`, () => {
    test('whoever registers by the link gets the account, also where registration is closed', async () => {
      await using wall = await openWall(engine);
      await wall.db.tx((tx) => setRegistrationMode(tx, 'invite'));
      const { id, username, code } = await imported(wall);
      assert.deepEqual(await claimOf(wall, code), {
        user: { id: String(id), username, display_name: null },
        posts_count: 1,
        replies_count: 1,
        is_claimed: false,
      });
      assert.equal((await wall.get(`/api/v1/users/${username}`)).json.has_never_come, true);
      const email = newAddress();
      const browser = await registerWith(wall, code, email);
      assert.deepEqual([(await me(browser)).id, (await me(browser)).email], [String(id), email]);
      assert.equal((await wall.get(`/api/v1/users/${username}`)).json.has_never_come, undefined);
      assert.equal((await claimOf(wall, code)).is_claimed, true);
      // Used once: it admits nobody else.
      const late = openBrowser(wall);
      const body = { email: newAddress(), clientToken: late.clientToken, device, invite: code };
      assert.deepEqual(await outcome(late.send('POST', '/registrations', body)), [400, 'REGISTRATION_CLOSED']);
    });

    test('somebody without posts gets the imported account instead, with session, address, role and what was saved', async () => {
      await using wall = await openWall(engine);
      const { id, code, postId } = await imported(wall);
      const member = await registerModerator(wall);
      await member.send('PUT', `/posts/${postId}/bookmark`);
      await member.send('PUT', `/users/current/mutes/${id}`);
      await member.send('POST', `/posts/${postId}/likes`);
      assert.deepEqual(await take(member, code), [204]);
      const { id: now, email, role } = await me(member);
      assert.deepEqual([now, email, role], [String(id), member.email, 'moderator']);
      const saved = (await member.send('GET', '/users/current/bookmarks')).json().posts;
      assert.deepEqual(
        saved.map((post: { id: string }) => post.id),
        [String(postId)],
      );
      assert.equal((await wall.get(`/api/v1/users/${member.username}`)).status, 404);
      assert.deepEqual(await take(member, code), [404, 'NOT_FOUND']);
      wall.clock.now += 61;
      await runJobs(wall.db, wall.clock.now);
      assert.equal((await wall.get(`/api/v1/posts/${postId}`)).json.actions.likes_count, 0);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
      assert.equal((await me(member)).id, String(id));
    });

    test('somebody with posts keeps them, and a wrong code leads nowhere', async () => {
      await using wall = await openWall(engine);
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

    test('moderators find the people who have not come, in the letters of their names, with a link for each', async () => {
      await using wall = await openWall(engine);
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

    test('what was imported is forgotten on request, and then nobody can claim it', async () => {
      await using wall = await openWall(engine);
      const { id, code, postId } = await imported(wall);
      const by = { at: wall.clock.now, operator: 'root', reason: 'просьба' };
      const forget = () => wall.db.tx((tx) => actForgetImported(tx, id, by));
      assert.ok('actId' in (await forget()));
      assert.equal((await wall.get(`/api/v1/posts/${postId}`)).status, 404);
      assert.deepEqual(await forget(), { refused: 'already' });
      assert.deepEqual(await take(await register(wall), code), [404, 'NOT_FOUND']);
      wall.clock.now += 61;
      await runJobs(wall.db, wall.clock.now);
      assert.deepEqual(await wall.db.read.selectFrom('posts').selectAll().execute(), []);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });

    test('a mention of somebody who has not come mails nothing', async () => {
      await using wall = await openWall(engine);
      const { username, postId } = await imported(wall);
      const member = await register(wall);
      const before = wall.mail.received.length;
      await publish(member, `@${username}, это вы?`, `/posts/${postId}/replies`);
      wall.clock.now += 8 * 24 * 3_600;
      await runJobs(wall.db, wall.clock.now);
      assert.deepEqual(
        await wall.db.read.selectFrom('outbox').select('id').where('recipient', 'like', 'imported%').execute(),
        [],
      );
      assert.equal(wall.mail.received.length, before);
    });
  });
}
