import { execFile } from 'node:child_process';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openWall } from '../../test/kit/wall.ts';

const redocly = fileURLToPath(import.meta.resolve('../../node_modules/@redocly/cli/bin/cli.js'));

test('the OpenAPI document satisfies every rule that Redocly recommends, without a warning', async (t) => {
  await using wall = await openWall('sqlite', { PUBLIC_URL: 'https://wall.ru' });
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'openapi.json');
  await writeFile(file, (await wall.get('/api/v1/openapi.json')).text);
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };
  const lint = promisify(execFile)(process.execPath, [redocly, 'lint', file, '--extends=recommended-strict'], { env });
  await lint.catch(({ stdout, stderr }: Record<string, string>) => assert.fail(`${stdout}${stderr}`));
});
