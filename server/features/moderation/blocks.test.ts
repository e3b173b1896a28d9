import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { addresses } from '#contract/addresses.ts';
import { makeToken, programWith } from '../../../test/kit/api-token.ts';
import { actions, confirm, journal, registerModerator } from '../../../test/kit/desk.ts';
import { readEvents } from '../../../test/kit/event-reader.ts';
import { type Member, outcome, publish, register, renew, signInElsewhere } from '../../../test/kit/member.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { openBrowser, wrong } from '../../../test/kit/sign-in.ts';
import { type Wall } from '../../../test/kit/wall.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import type { Database } from '../../db/database.ts';
import { type By, recordAct } from './journal.ts';
import { perform } from './desk/perform.ts';
import { removeAllPostsOf } from './removal.ts';
import { blockUser, unblockUser } from './moderation-store.ts';

const day = 24 * 3_600;
const reason = 'Реклама или <b title="x">спам</b> & прочее';
const blockedError = { code: 'ACCOUNT_BLOCKED', message: `Учётная запись заблокирована. Причина: ${reason}` };
const settings = { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' };

const block = ({ db, clock }: Wall, { id }: Member): Promise<boolean> =>
  db.tx((tx) => blockUser(tx, Number(id), reason, clock.now));
const unblock = ({ db }: Wall, { id }: Member): Promise<boolean> => db.tx((tx) => unblockUser(tx, Number(id)));
const renewal = (member: Member) => member.send('PATCH', '/sessions/current', { clientToken: member.clientToken });

const blockFor = (by: Member, { username }: Member, days?: number, removePosts = false) =>
  by.send('POST', `/moderation/people/${username}/block`, { reason, remove_posts: removePosts, ...(days && { days }) });
const undo = (by: Member, id: string) =>
  outcome(by.send('POST', `/moderation/journal/${id}/undo`, { reason: 'Ошибка' }));

const onWall = onWalls({}, 'a blocked person');

onWall('is told the reason on every device, may log out, and must sign in again afterwards', async (wall) => {
  const anna = await register(wall);
  const elsewhere = await signInElsewhere(wall, anna);
  assert.deepEqual([await block(wall, anna), await block(wall, anna)], [true, false]);
  for (const browser of [anna, elsewhere]) {
    for (const response of [await browser.send('GET', '/posts'), await renewal(browser)]) {
      assert.deepEqual([response.statusCode, response.json()], [403, blockedError]);
    }
  }
  const page = await wall.app.inject({
    url: addresses.settingsExport.href(),
    headers: { accept: 'text/html' },
    cookies: Object.fromEntries(anna.cookies),
  });
  assert.equal(page.statusCode, 403);
  assert.match(page.body, /Причина: Реклама или &lt;b title=&quot;x&quot;&gt;спам&lt;\/b&gt; &amp; прочее/);
  assert.equal((await elsewhere.send('DELETE', '/sessions/current')).statusCode, 204);
  assert.deepEqual(await outcome(renewal(elsewhere)), [401, 'UNAUTHORIZED']);
  assert.deepEqual([await unblock(wall, anna), await unblock(wall, anna)], [true, false]);
  for (const closed of [anna.send('GET', '/users/current'), renewal(anna)]) {
    assert.deepEqual(await outcome(closed), [401, 'UNAUTHORIZED']);
  }
  await publish(await signInElsewhere(wall, anna), 'снова здесь');
});

onWalls(settings, 'a blocked person')('learns the reason at sign-in only after the right code', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  await block(wall, anna);
  const { json: openapi } = await wall.get('/api/v1/openapi.json');
  for (const purpose of ['logins', 'registrations'] as const) {
    const [blocked, free] = [openBrowser(wall), openBrowser(wall)];
    const [started, freely] = [await blocked.start(purpose, anna.email), await free.start(purpose, boris.email)];
    assert.equal(started.statusCode, freely.statusCode);
    assert.deepEqual(Object.keys(started.json()), Object.keys(freely.json()));
    const code = await wall.mail.codeTo(anna.email);
    const { id } = started.json();
    assert.deepEqual(await outcome(blocked.verify(purpose, id, wrong(code))), [400, 'INVALID_CONFIRM_CODE']);
    const refused = await blocked.verify(purpose, id, code);
    assert.deepEqual([refused.statusCode, refused.json()], [400, blockedError]);
    assert.equal(blocked.cookies.size, 0);
    assert.deepEqual(await outcome(blocked.verify(purpose, id, code)), [400, 'OPERATION_EXPIRED']);
    const { responses } = openapi.paths[`/api/v1/${purpose}/{id}/verify`].post;
    assert.match(responses[400].description, /ACCOUNT_BLOCKED/);
  }
});

onWall('gets nothing personal on an event stream', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  const { id } = await publish(anna, 'запись');
  await publish(boris, 'ответ', `/posts/${id}/replies`);
  await wall.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = wall.app.server.address() as AddressInfo;
  const unreadAtFirst = async () => {
    const cookie = `session=${anna.cookies.get('session')}`;
    const { until, close } = await readEvents(`http://127.0.0.1:${port}/api/v1/events`, { cookie });
    const [first] = await until((received) => received.length > 0);
    close();
    return first!.changes.unread;
  };
  assert.equal(await unreadAtFirst(), 1);
  await block(wall, anna);
  assert.equal(await unreadAtFirst(), undefined);
});

onWall('has all posts again when the block ends while they are being removed', async (wall) => {
  const anna = await wall.person('anna_petrova');
  const posts = 120;
  for (let i = 0; i < posts; i += 1) await wall.post(anna, `запись ${i}`);
  const by = (): By => ({ operator: 'Оператор', reason, at: wall.clock.now });
  const open = async () => ({ act: 'unblock' as const, id: anna, by: by(), given: { restorePosts: true } });
  let unblocking: ReturnType<typeof perform> | undefined;
  await wall.db.tx((tx) => blockUser(tx, anna, reason, wall.clock.now));
  // The other batches wait for the end of the block. Without this wait a busy machine could remove all posts before it.
  const tx: Database['tx'] = async (work) => {
    await unblocking;
    return wall.db.tx(work);
  };
  const who = { userId: anna, reason, now: wall.clock.now };
  const removed = await removeAllPostsOf({ ...wall.db, tx }, who, (batch, ids) => {
    // The end of the block waits for the transaction of this batch.
    unblocking ??= perform(wall.db, open);
    return recordAct(batch, by(), { action: 'remove-posts', details: { posts: ids } });
  });
  assert.ok(removed < posts, `${removed} removed`);
  assert.equal((await unblocking!).counts['restored_posts'], removed);
  assert.equal((await wall.get(`/api/v1/posts?userId=${anna}`)).json.total, posts);
});

onWalls(settings, 'a blocked person')('gets no working session from a concurrent sign-in', async (wall) => {
  const anna = await register(wall);
  for (let round = 0; round < 5; round += 1) {
    const browsers = Array.from({ length: 6 }, () => openBrowser(wall));
    const enter: Array<() => Promise<unknown>> = [];
    for (const browser of browsers) {
      const { id } = (await browser.start('logins', anna.email)).json();
      const code = await wall.mail.codeTo(anna.email);
      enter.push(() => browser.verify('logins', id, code));
    }
    await Promise.all([...enter.map((verify) => verify()), block(wall, anna)]);
    const seen = () =>
      Promise.all(browsers.filter(({ token }) => token).map((each) => outcome(each.send('GET', '/users/current'))));
    for (const refused of await seen()) assert.deepEqual(refused, [403, 'ACCOUNT_BLOCKED']);
    await unblock(wall, anna);
    for (const refused of await seen()) assert.deepEqual(refused, [401, 'UNAUTHORIZED']);
  }
});

const onWallWithTerm = onWalls(settings, 'a block for a term');

onWallWithTerm('refuses sessions, tokens and sign-ins until its second has come, without a job', async (wall) => {
  const [moderator, anna] = [await registerModerator(wall), await register(wall)];
  const program = programWith(wall, (await makeToken(wall, anna)).token);
  await confirm(wall, moderator);
  assert.deepEqual(await outcome(blockFor(moderator, anna, 3)), [400, 'INVALID_REQUEST']);
  await blockFor(moderator, anna, 1);
  const until = wall.clock.now + day;
  const { blocked } = (await moderator.send('GET', `/moderation/people/${anna.username}`)).json();
  assert.deepEqual(blocked, { at: wall.clock.now, reason, until });
  const signIn = async () => {
    const browser = openBrowser(wall);
    const { id } = (await browser.start('logins', anna.email)).json();
    return browser.verify('logins', id, await wall.mail.codeTo(anna.email));
  };
  wall.clock.now = until - 1;
  for (const refused of [await renewal(anna), await program('GET', '/users/current')]) {
    assert.equal(refused.statusCode, 403);
    assert.match(refused.json().message, /^Учётная запись заблокирована\. До .* UTC\. Причина: Реклама или /);
  }
  const refused = await signIn();
  assert.deepEqual([refused.statusCode, refused.json().code], [400, 'ACCOUNT_BLOCKED']);
  assert.match(refused.json().message, /До .* UTC/);
  wall.clock.now = until;
  await renew(anna);
  for (const { send } of [anna, { send: program }]) assert.deepEqual(await outcome(send('GET', '/posts')), [200]);
  assert.equal((await signIn()).statusCode, 200);
});

onWallWithTerm('is cleared by its job: the search finds the person; what it removed stays removed', async (wall) => {
  const [moderator, anna, boris] = [await registerModerator(wall), await register(wall), await register(wall)];
  await publish(anna, 'Продам крокодила');
  const { id } = await publish(boris, 'Куплю крокодила');
  await confirm(wall, moderator);
  await blockFor(moderator, anna, 7, true);
  await blockFor(moderator, boris, 7);
  const found = async () =>
    (await moderator.send('GET', '/posts/search?q=крокодил')).json().posts.map((post: { id: string }) => post.id);
  const blocked = async () => (await moderator.send('GET', '/moderation/people?state=blocked')).json().people.length;
  assert.deepEqual(await found(), []);
  wall.clock.now += 7 * day;
  await renew(moderator);
  await runJobs(wall.db, wall.clock.now);
  assert.deepEqual([await found(), await blocked()], [[id], 0]);
  // A later block without a term does not end with the former one.
  await confirm(wall, moderator);
  await blockFor(moderator, boris);
  await runJobs(wall.db, wall.clock.now + 100 * day);
  assert.deepEqual(await outcome(boris.send('GET', '/users/current')), [401, 'UNAUTHORIZED']);
  assert.equal(await blocked(), 1);
});

onWallWithTerm('is undone in the journal, also its end by a moderator, which keeps the term', async (wall) => {
  const [moderator, anna] = [await registerModerator(wall), await register(wall)];
  await confirm(wall, moderator);
  const first = (await blockFor(moderator, anna, 30)).json().act_id;
  const until = wall.clock.now + 30 * day;
  assert.deepEqual(await undo(moderator, first), [200]);
  assert.deepEqual(await actions(moderator), ['block', 'unblock +']);
  assert.deepEqual(await undo(moderator, (await journal(moderator))[1]!.id), [200]);
  const { blocked } = (await moderator.send('GET', `/moderation/people/${anna.username}`)).json();
  assert.deepEqual([blocked.reason, blocked.until], [reason, until]);
  wall.clock.now = until;
  await renew(moderator);
  assert.deepEqual(await actions(moderator), ['block', 'unblock', 'block']);
});
