import { linkSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './project.mjs';

const folder = join(root, '.lock');
const pollMs = 100;
const free = '';

/**
 * Runs `work` under a lock between processes. The folder contains numbered tickets with the pid of their holder, and
 * the highest ticket is valid. If it is free or its holder is dead, a waiting process creates the next number. It never
 * deletes the highest ticket, so two waiting processes cannot both take over.
 */
export async function withLock(work) {
  mkdirSync(folder, { recursive: true });
  const ticket = await takeTicket();
  try {
    return await work();
  } finally {
    writeFileSync(ticket, free);
  }
}

async function takeTicket() {
  const draft = join(folder, `pid-${process.pid}`);
  writeFileSync(draft, String(process.pid));
  for (let waiting = false; ; await sleep(pollMs)) {
    const highest = tickets().at(-1) ?? 0;
    const holder = holderOf(highest);
    if (holder === undefined) {
      const ticket = join(folder, String(highest + 1));
      if (tryLink(draft, ticket) && tickets().at(-1) === highest + 1) {
        for (const old of tickets().slice(0, -1)) rmSync(join(folder, String(old)), { force: true });
        rmSync(draft);
        return ticket;
      }
    } else if (!waiting) {
      waiting = true;
      console.error(`Waiting for process ${holder}, which installs or builds…`);
    }
  }
}

function tickets() {
  return readdirSync(folder)
    .map(Number)
    .filter(Number.isInteger)
    .toSorted((a, b) => a - b);
}

function holderOf(number) {
  try {
    const pid = Number(readFileSync(join(folder, String(number)), 'utf8'));
    return pid !== 0 && pid !== process.pid && isAlive(pid) ? pid : undefined;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function tryLink(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}
