import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test, type TestContext } from 'node:test';

const program = `
  const { memoryFolder } = await import(${JSON.stringify(new URL('memory-folder.mjs', import.meta.url))});
  const folder = memoryFolder();
  (await import('node:fs')).writeFileSync(folder + '/written-${process.pid}', '');
  console.log(folder);
  process.stdin.resume();
`;

/** A run that has written to its folder. Its standard input ends it. */
async function start(t: TestContext) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  t.after(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return { child, folder: String(line).trim() };
}

test('the folder of a run is removed at its end, or by the next run', async (t) => {
  const killed = await start(t);
  // Not every system has such a file system.
  if (killed.folder === tmpdir()) return;
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  assert.ok(existsSync(killed.folder));

  const next = await start(t);
  assert.ok(!existsSync(killed.folder));
  assert.ok(existsSync(next.folder));
  next.child.stdin.end();
  await once(next.child, 'exit');
  assert.ok(!existsSync(next.folder));
});
