import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWall } from '../../test/kit/wall.ts';

const path = '/.well-known/security.txt';

test('security.txt names the contact for less than a year, and is missing without one', async () => {
  const settings = { PUBLIC_URL: 'https://wall.example', CONTACT: 'mailto:wall@example.org' };
  await using wall = await openWall('sqlite', settings);
  const { status, text, headers } = await wall.get(path);
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8']);
  const fields = new Map(
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/s) as [string, string]),
  );
  assert.equal(fields.get('Contact'), 'mailto:wall@example.org');
  assert.equal(fields.get('Canonical'), settings.PUBLIC_URL + path);
  const left = Date.parse(fields.get('Expires')!) / 1_000 - wall.clock.now;
  assert.ok(left > 150 * 86_400 && left < 365 * 86_400, `${left} s`);
  wall.clock.now += 300 * 86_400;
  assert.ok(!(await wall.get(path)).text.includes(fields.get('Expires')!));

  await using silent = await openWall('sqlite');
  assert.equal((await silent.get(path)).status, 404);
});
