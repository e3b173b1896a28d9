import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { sqliteFile } from '../../server/db/open-database.ts';

/** Another process takes the write lock and exits when it releases it. */
export async function lockFor(ms: number, dataDir: string): Promise<{ released: Promise<unknown> }> {
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(${JSON.stringify(sqliteFile(dataDir))}, { timeout: 5_000 });
    database.exec('begin immediate');
    console.log('locked');
    setTimeout(() => database.exec('commit'), ${ms});
  `;
  const child = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const released = once(child, 'exit');
  await once(child.stdout, 'data');
  return { released };
}
