import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

const lock = JSON.stringify(import.meta.resolve('./lock.mjs'));

describe('the lock of install and build', () => {
  let folder: string;
  let counter: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'stena-lock-'));
    counter = join(folder, 'counter');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function underLock(work: string): ChildProcess {
    const script = `
      import { readFileSync, writeFileSync } from 'node:fs';
      import { setTimeout as sleep } from 'node:timers/promises';
      import { withLock } from ${lock};
      const counter = ${JSON.stringify(counter)};
      await withLock(async () => { ${work} });
    `;
    return spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  }

  it('admits one process at a time, also after a holder was killed', async () => {
    writeFileSync(counter, '0');
    const killed = underLock(`console.log('inside'); await sleep(60_000);`);
    await once(killed.stdout!, 'data');
    const others = Array.from({ length: 8 }, () =>
      underLock(
        `const count = Number(readFileSync(counter)); await sleep(20); writeFileSync(counter, String(count + 1));`,
      ),
    );
    const ends = Promise.all(others.map((other) => once(other, 'exit')));
    killed.kill('SIGKILL');
    assert.deepEqual(new Set((await ends).map(([code]) => code as number)), new Set([0]));
    assert.equal(readFileSync(counter, 'utf8'), '8');
  });
});
