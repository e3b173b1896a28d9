import { watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureInstalled } from './install.mjs';
import { startTypeScript } from './pinned-node.mjs';
import { root } from './project.mjs';

const watched = ['server', 'contract'];
const moreChangesMs = 100;
const graceMs = 2_000;

await ensureInstalled();

// Browser code needs no restart: Vite, which runs inside the server, updates it in the open page.
for (;;) {
  const changed = nextChange();
  const server = startTypeScript('server/main.ts', ['--dev']);
  await changed;
  await sleep(moreChangesMs);
  await stop(server);
}

function nextChange() {
  const watchers = [];
  return new Promise((resolve) => {
    for (const folder of watched) {
      const notice = (_event, name) => /\.(ts|sql)$/.test(name) && !name.endsWith('.test.ts') && resolve();
      watchers.push(watch(join(root, folder), { recursive: true }, notice));
    }
  }).finally(() => watchers.forEach((watcher) => watcher.close()));
}

async function stop({ child, ended }) {
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await ended;
  clearTimeout(killTimer);
}
