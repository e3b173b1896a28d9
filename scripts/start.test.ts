import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(import.meta.dirname, '..');

describe('npm start', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'stena-start-'));
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  async function serve(command: string, args: string[]): Promise<{ process: ChildProcess; url: string }> {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, NODE_ENV: undefined, PORT: '0', DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (chunk) => {
        output += String(chunk);
        const address = /http:\/\/\S+:\d+/.exec(output);
        if (address) resolve(address[0]);
      });
      child.on('exit', () => reject(new Error(`No server started:\n${output}`)));
    });
    return { process: child, url };
  }

  async function assertGone(url: string): Promise<void> {
    for (let tries = 0; tries < 100; tries += 1) {
      try {
        await fetch(new URL('/healthz', url));
      } catch {
        return;
      }
      await sleep(50);
    }
    assert.fail(`${url} still responds`);
  }

  for (const [program, args, signal] of [
    ['node', ['scripts/start.mjs'], 'SIGTERM'],
    ['node', ['scripts/start.mjs'], 'SIGKILL'],
    ['npm', ['start'], 'SIGINT'],
    ['npm', ['start'], 'SIGTERM'],
    ['npm', ['start'], 'SIGKILL'],
  ] as const) {
    it(`stops the server when only ${program} gets ${signal}`, async () => {
      const { process, url } = await serve(program, [...args]);
      const ended = once(process, 'exit');
      process.kill(signal);
      if (program === 'node') assert.deepEqual(await ended, signal === 'SIGTERM' ? [0, null] : [null, signal]);
      await assertGone(url);
    });
  }

  it('exits with 1 when the server refuses to start', async () => {
    const child = spawn('node', ['scripts/start.mjs'], {
      cwd: root,
      env: { ...process.env, PORT: 'nonsense', DATA_DIR: dataDir },
      stdio: 'ignore',
    });
    assert.deepEqual(await once(child, 'exit'), [1, null]);
  });
});
