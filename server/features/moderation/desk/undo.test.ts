import assert from 'node:assert/strict';
import { actions, confirm, journal, registerModerator } from '../../../../test/kit/desk.ts';
import { deleteAccount, type Member, outcome, publish, register } from '../../../../test/kit/member.ts';
import { onWalls } from '../../../../test/kit/on-walls.ts';
import { recount } from '../../../commands/verify-data/recount.ts';

const because = { reason: 'ошибка' };

const undo = (by: Member, id: string) => by.send('POST', `/moderation/journal/${id}/undo`, because);

const act = async (by: Member, path: string, body: object = because): Promise<string> => {
  const response = await by.send('POST', `/moderation/${path}`, body);
  assert.equal(response.statusCode, 200, response.body);
  return response.json().act_id;
};

const onWall = onWalls({ RATE_LIMITS: 'off' }, 'undo');

onWall('the journal shows the post that an act was about, also while it is off the wall', async (wall) => {
  const moderator = await registerModerator(wall);
  const [anna, boris] = [await register(wall), await register(wall)];
  const [kept, removed] = [await publish(anna, 'останется'), await publish(anna, 'скроют')];
  const deleted = await publish(anna, 'удалят');
  const left = await publish(boris, 'уйдёт с автором');
  for (const { id } of [kept, removed, deleted, left]) await act(moderator, `posts/${id}/removal`);
  await act(moderator, `posts/${kept.id}/restoration`);
  await act(moderator, `posts/${deleted.id}/restoration`);
  await anna.send('DELETE', `/posts/${deleted.id}`);
  await deleteAccount(wall, boris);
  const posts = (await journal(moderator)).map(({ action, target, post }) => [action, target, post]);
  const shown = { text: 'останется', is_removed: false };
  assert.deepEqual(posts.slice(0, 6), [
    ['remove', kept.id, shown],
    ['remove', removed.id, { text: 'скроют', is_removed: true }],
    ['remove', deleted.id, null],
    ['remove', left.id, null],
    ['restore', kept.id, shown],
    ['restore', deleted.id, null],
  ]);
});

onWall('of a dismissal opens exactly the reports that it settled', async (wall) => {
  const moderator = await registerModerator(wall);
  const [boris, clara, dina] = [await register(wall), await register(wall), await register(wall)];
  const { id } = await publish(await register(wall), 'запись');
  const report = (by: Member) => by.send('POST', `/posts/${id}/reports?reason_id=spam`);
  const open = async () => {
    const { reports } = (await moderator.send('GET', '/moderation/reports?state=all')).json();
    return reports[0].reports.filter((one: { open: boolean }) => one.open).map(({ by }: { by: string }) => by);
  };
  await report(boris);
  const first = await act(moderator, `posts/${id}/dismissal`);
  await report(clara);
  const second = await act(moderator, `posts/${id}/dismissal`);
  await report(dina);
  assert.deepEqual(await open(), [dina.username]);
  assert.deepEqual(await outcome(undo(moderator, first)), [200]);
  assert.deepEqual(await open(), [dina.username, boris.username]);
  assert.equal((await undo(moderator, first)).json().act_id, null);
  await undo(moderator, second);
  assert.deepEqual(await open(), [dina.username, clara.username, boris.username]);
  assert.deepEqual(await actions(moderator), ['dismiss', 'dismiss', 'reopen', 'reopen']);
});

onWall('of a removal and of a restoration puts back what was, once for concurrent moderators', async (wall) => {
  const [moderator, other] = [await registerModerator(wall), await registerModerator(wall)];
  const [anna, boris] = [await register(wall), await register(wall)];
  const { id } = await publish(anna, 'запись');
  await boris.send('POST', `/posts/${id}/reports?reason_id=spam`);
  const removal = await act(moderator, `posts/${id}/removal`, { reason: 'Мошенничество' });
  const together = async (entry: string) => {
    const responses = await Promise.all([moderator, other, moderator, other].map((by) => undo(by, entry)));
    for (const { statusCode, body } of responses) assert.equal(statusCode, 200, body);
    return responses.flatMap((response) => response.json().act_id ?? []);
  };
  const openReports = async () => (await moderator.send('GET', '/moderation/reports')).json().open;
  const [restoration] = await together(removal);
  assert.deepEqual([(await anna.send('GET', `/posts/${id}`)).statusCode, await openReports()], [200, 1]);
  assert.equal((await together(restoration)).length, 1);
  const [removed] = (await anna.send('GET', '/posts/removed')).json().posts;
  assert.deepEqual([removed.id, removed.reason], [id, 'Мошенничество'], 'the author reads the reason again');
  assert.equal(await openReports(), 0);
  assert.deepEqual(await actions(moderator), ['remove', 'restore', 'remove +']);
  const undoes = (await journal(moderator)).map(({ reason, details }) => [reason, details!['undoes']]);
  assert.deepEqual(undoes, [
    ['Мошенничество', undefined],
    ['ошибка', Number(removal)],
    ['ошибка', Number(restoration)],
  ]);
  assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
});

onWall('of a removal that a later act has ended, or that is impossible by now, changes nothing', async (wall) => {
  const moderator = await registerModerator(wall);
  const anna = await register(wall);
  const [one, two] = [await publish(anna, 'первая'), await publish(anna, 'вторая')];
  const first = await act(moderator, `posts/${one.id}/removal`);
  await act(moderator, `posts/${one.id}/restoration`);
  await act(moderator, `posts/${one.id}/removal`);
  assert.equal((await undo(moderator, first)).json().act_id, null, 'the second removal stays');
  assert.equal((await anna.send('GET', `/posts/${one.id}`)).statusCode, 404);
  const last = await act(moderator, `posts/${two.id}/removal`);
  await deleteAccount(wall, anna);
  assert.deepEqual(await outcome(undo(moderator, last)), [403, 'FORBIDDEN']);
  assert.deepEqual(await outcome(undo(moderator, '999')), [404, 'NOT_FOUND']);
  const { codes } = (await moderator.send('POST', '/moderation/invites', { count: 1, ...because })).json();
  assert.equal(codes.length, 1);
  const invite = (await journal(moderator)).at(-1)!;
  assert.deepEqual([invite.action, invite.undo], ['invite', false]);
  assert.deepEqual(await outcome(undo(moderator, invite.id)), [403, 'FORBIDDEN']);
});

onWall('leaves a journal in which verify-data finds entries that refer to nothing', async (wall) => {
  const [moderator, anna] = [await registerModerator(wall), await register(wall)];
  const { id } = await publish(anna, 'запись');
  await moderator.send('POST', `/posts/${id}/reports?reason_id=spam`);
  const removal = await act(moderator, `posts/${id}/removal`);
  assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
  await wall.db.tx(async ({ db }) => {
    await db.updateTable('reports').set({ settled_by: 999 }).execute();
    const ended_by = Number(removal);
    await db.updateTable('operator_log').set({ ended_by }).execute();
  });
  const found = (await Array.fromAsync(recount(wall.db.read))).map(({ what }) => what);
  assert.deepEqual(found, ['reports.settled_by', 'operator_log.ended_by']);
});

onWall('of the end of a block removes no posts when the block had removed none', async (wall) => {
  const [moderator, anna] = [await registerModerator(wall), await register(wall)];
  const { id } = await publish(anna, 'запись');
  await confirm(wall, moderator);
  const person = `people/${anna.username}`;
  const block = await act(moderator, `${person}/block`, { ...because, remove_posts: false });
  const unblock = (await undo(moderator, block)).json().act_id;
  const again = (await undo(moderator, unblock)).json().act_id;
  assert.equal((await wall.get(`/api/v1/posts/${id}`)).status, 200);
  await undo(moderator, again);
  await act(moderator, `${person}/block`, { ...because, remove_posts: false });
  const asked = await act(moderator, `${person}/unblock`, { ...because, restore_posts: true });
  assert.equal((await undo(moderator, asked)).statusCode, 200);
  assert.equal((await wall.get(`/api/v1/posts/${id}`)).status, 200);
  assert.deepEqual(
    (await journal(moderator)).map(({ action, details }) => [action, details!['restore_posts']]),
    Array.from({ length: 7 }, (_, i) => (i % 2 ? ['unblock', false] : ['block', undefined])),
  );
});
