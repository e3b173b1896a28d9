import assert from 'node:assert/strict';
import { registerModerator } from '../../../test/kit/desk.ts';
import { allMailsSent } from '../../../test/kit/digest.ts';
import { outcome, publish, register } from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';

onWalls()('a report stores the text at that time, once per person and post', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  const { id } = await publish(anna, 'плохое');
  const { reasons } = (await wall.get('/api/v1/reports/reasons')).json;
  assert.deepEqual(
    reasons.map(({ name }: { name: string }) => name),
    ['Спам', 'Оскорбления и травля', 'Призывы к насилию', 'Мошенничество', 'Материалы 18+', 'Личные данные', 'Другое'],
  );
  const report = (reason: string) => outcome(boris.send('POST', `/posts/${id}/reports?reason_id=${reason}`));
  assert.deepEqual(await report('нет'), [400, 'INVALID_REQUEST']);
  assert.deepEqual(await outcome(boris.send('POST', `/posts/${id}/reports`)), [400, 'INVALID_REQUEST']);
  assert.deepEqual(await report(reasons[1].id), [204]);
  await anna.send('PATCH', `/posts/${id}`, { text: 'хорошее' });
  assert.deepEqual(await report(reasons[2].id), [204]);
  await anna.send('DELETE', `/posts/${id}`);
  assert.deepEqual(await report(reasons[2].id), [404, 'NOT_FOUND']);
  const stored = await wall.db.read
    .selectFrom('reports')
    .select(['post_id', 'user_id', 'owner_id', 'reason_id', 'text'])
    .execute();
  assert.deepEqual(
    stored.map((row) => ({ ...row })),
    [
      {
        post_id: Number(id),
        user_id: Number(boris.id),
        owner_id: Number(anna.id),
        reason_id: reasons[1].id,
        text: 'плохое',
      },
    ],
  );
});

onWalls({ RATE_LIMITS: 'off' })('a report may come with own words, which moderators read', async (wall) => {
  const [anna, boris, moderator] = [await register(wall), await register(wall), await registerModerator(wall)];
  const report = async (reason: string, body?: object): Promise<[number, string?]> => {
    const { id } = await publish(anna, 'спорное');
    const response = await boris.send('POST', `/posts/${id}/reports?reason_id=${reason}`, body);
    return response.statusCode < 400 ? [response.statusCode] : [response.statusCode, response.json().message];
  };
  assert.match((await report('other', { comment: 'ж'.repeat(501) }))[1]!, /500/);
  assert.equal((await report('other', { words: 'ж' }))[0], 400);
  const comment = `${'ж'.repeat(480)}\n<b>это</b>`;
  assert.deepEqual(await report('other', { comment: `  ${comment}\r\n` }), [204]);
  assert.deepEqual(await report('other', { comment: ' \n ' }), [204]);
  assert.deepEqual(await report('other'), [204]);
  assert.deepEqual(await report('spam', { comment: 'реклама' }), [204]);
  const { reports } = (await moderator.send('GET', '/moderation/reports')).json();
  assert.deepEqual(
    reports.flatMap(({ reports: own }: { reports: Array<Record<string, unknown>> }) =>
      own.map((one) => [one['reason_id'], one['comment']]),
    ),
    [
      ['other', comment],
      ['other', null],
      ['other', null],
      ['spam', 'реклама'],
    ],
  );
});

const minute = 60;
const hour = 60 * minute;

onWalls({ RATE_LIMITS: 'off', ACCESS_TOKEN_SECONDS: '86400' })(
  'keepers get one letter of old reports',
  async (wall) => {
    const [owner, moderator] = [await registerModerator(wall, 'owner'), await registerModerator(wall)];
    const [anna, boris] = [await register(wall), await register(wall)];
    const report = async (text: string) => {
      const { id } = await publish(anna, text);
      for (const by of [boris, owner]) await by.send('POST', `/posts/${id}/reports?reason_id=spam`);
      return id;
    };
    const told = async (): Promise<string[]> => {
      const before = wall.mail.received.length;
      await Promise.all([runJobs(wall.db, wall.clock.now), runJobs(wall.db, wall.clock.now)]);
      await allMailsSent(wall);
      const letters = wall.mail.received.slice(before).filter(({ text }) => text.includes('/moderation'));
      return letters.map(({ to, text }) => `${String(to)}: ${/на записи: (\d+)/.exec(text)![1]}`).toSorted();
    };
    const both = (posts: number) => [owner, moderator].map(({ email }) => `${email}: ${posts}`).toSorted();

    await report('первая');
    const settled = await report('вторая');
    wall.clock.now += hour - minute;
    await report('третья');
    assert.deepEqual(await told(), []);
    await moderator.send('POST', `/moderation/posts/${settled}/dismissal`, { reason: 'так можно' });
    wall.clock.now += minute;
    assert.deepEqual(await told(), both(1));
    assert.deepEqual(await told(), []);
    wall.clock.now += hour;
    assert.deepEqual(await told(), both(1));

    const { settings } = (await owner.send('GET', '/keep')).json();
    assert.equal(settings.report_letters, true);
    const saved = await owner.send('PUT', '/keep/settings', { ...settings, report_letters: false });
    assert.equal(saved.json().settings.report_letters, false);
    await report('четвёртая');
    wall.clock.now += 2 * hour;
    assert.deepEqual(await told(), []);
  },
);
