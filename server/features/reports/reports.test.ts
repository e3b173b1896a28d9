import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerModerator } from '../../../test/kit/desk.ts';
import { engines } from '../../../test/kit/engines.ts';
import { outcome, publish, register } from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';

for (const engine of engines) {
  test(`a report stores the text at that time, once per person and post, on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const [anna, boris] = [await register(wall), await register(wall)];
    const { id } = await publish(anna, 'плохое');
    const { reasons } = (await wall.get('/api/v1/reports/reasons')).json;
    assert.deepEqual(
      reasons.map(({ name }: { name: string }) => name),
      [
        'Спам',
        'Оскорбления и травля',
        'Призывы к насилию',
        'Мошенничество',
        'Материалы 18+',
        'Личные данные',
        'Другое',
      ],
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

  test(`«Другое» needs words of one's own, which moderators read, on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const [anna, boris, moderator] = [await register(wall), await register(wall), await registerModerator(wall)];
    const { id } = await publish(anna, 'спорное');
    const report = async (reason: string, body?: object): Promise<[number, string?]> => {
      const response = await boris.send('POST', `/posts/${id}/reports?reason_id=${reason}`, body);
      return response.statusCode < 400 ? [response.statusCode] : [response.statusCode, response.json().message];
    };
    assert.deepEqual(await report('other'), [400, 'Напишите, что не так.']);
    assert.deepEqual(await report('other', { comment: ' \n ' }), [400, 'Напишите, что не так.']);
    assert.deepEqual(await report('spam', { comment: 'лишнее' }), [400, 'Пояснение пишут только к причине «Другое».']);
    assert.match((await report('other', { comment: 'ж'.repeat(501) }))[1]!, /500/);
    assert.equal((await report('other', { words: 'ж' }))[0], 400);
    const comment = `${'ж'.repeat(480)}\n<b>это</b>`;
    assert.deepEqual(await report('other', { comment: `  ${comment}\r\n` }), [204]);
    const { reports } = (await moderator.send('GET', '/moderation/reports')).json();
    assert.deepEqual(
      reports[0].reports.map((one: Record<string, unknown>) => [one['reason_id'], one['comment']]),
      [['other', comment]],
    );
  });
}
