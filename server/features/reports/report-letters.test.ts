import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerModerator } from '../../../test/kit/desk.ts';
import { allMailsSent } from '../../../test/kit/digest.ts';
import { engines } from '../../../test/kit/engines.ts';
import { publish, register } from '../../../test/kit/member.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { openWall } from '../../../test/kit/wall.ts';

const minute = 60;
const hour = 60 * minute;

for (const engine of engines) {
  test(`reports that wait for an hour are told once, in one letter to each who keeps the wall, on ${engine}`, async () => {
    await using wall = await openWall(engine, { RATE_LIMITS: 'off', ACCESS_TOKEN_SECONDS: String(24 * hour) });
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
  });
}
