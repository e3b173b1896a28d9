import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { mock, test } from 'node:test';
import { pino } from 'pino';
import { appoint } from '../../test/kit/desk.ts';
import { signedIn } from '../../test/kit/signed-in.ts';
import { openWall } from '../../test/kit/wall.ts';

const noFiles = () => {
  throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
};

test('a process without file descriptors says so once, answers 503 without a line for each, and says when it has some', async () => {
  const lines: Array<{ msg: string }> = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  mock.timers.enable({ apis: ['setInterval'] });
  const wall = await openWall('sqlite', {}, log);
  wall.app.readable.set('GET /posts/{id}/thread', noFiles);
  const id = await wall.post(await wall.person('anna_k'), 'запись');
  const said = () => lines.splice(0).map(({ msg }) => msg);
  const owner = await wall.person('keeper');
  await appoint(wall, { id: String(owner) }, 'owner');
  const { cookie } = await signedIn(wall.db, owner);
  const health = async () => {
    const { text } = await wall.get('/keep?part=health', { cookie: `session=${cookie}` });
    return /Соединения.*?<\/p>/s.exec(text)![0].replaceAll(/<[^>]+>/g, '');
  };
  assert.match(await health(), /Соединения: в порядке/);
  try {
    mock.method(fs, 'openSync', noFiles);
    syncBuiltinESMExports();
    for (let second = 0; second < 3; second += 1) mock.timers.tick(1_000);
    assert.deepEqual(said(), ['out of file descriptors: no new connection is served']);
    assert.match(await health(), /Соединения: обратите внимание.*не хватало/);
    assert.equal((await wall.get(`/posts/${id}`)).status, 503);
    assert.deepEqual(said(), []);
    mock.restoreAll();
    syncBuiltinESMExports();
    mock.timers.tick(1_000);
    assert.deepEqual(said(), ['there are file descriptors again']);
  } finally {
    mock.restoreAll();
    syncBuiltinESMExports();
    mock.timers.reset();
    await wall.close();
  }
});
