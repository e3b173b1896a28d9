import { randomBytes } from 'node:crypto';
import { chmod, copyFile, rename, rm, writeFile } from 'node:fs/promises';
import { Refusal } from '../admin/refusal.ts';
import { line } from '../admin/terminal.ts';
import { sqliteFile } from '../db/open-database.ts';
import { secretFile } from '../secrets.ts';
import { makeDurable } from './durable.ts';
import { setAside } from './set-aside.ts';
import { dropWhatWasKept } from './sqlite-copy.ts';

/** Makes a checked copy the data folder's wall once it lies there whole; returns where the old data are now. */
export async function putInPlace(file: string, secret: string | null, dataDir: string): Promise<string | undefined> {
  const [database, secretPlace] = [sqliteFile(dataDir), secretFile(dataDir)];
  const suffix = randomBytes(6).toString('hex');
  const [newDatabase, newSecret] = [`${database}.${suffix}`, `${secretPlace}.${suffix}`];
  try {
    await copyFile(file, newDatabase);
    await chmod(newDatabase, 0o600);
    dropWhatWasKept(newDatabase);
    await makeDurable(newDatabase);
    if (secret !== null) await writeFile(newSecret, secret, { mode: 0o600, flush: true });

    const aside = await setAside(dataDir);
    if (secret !== null) await rename(newSecret, secretPlace);
    await rename(newDatabase, database);
    await makeDurable(dataDir);
    return aside;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new Refusal(`Стена не восстановлена: ${line(error.message)}`);
  } finally {
    for (const draft of [newDatabase, newSecret]) await rm(draft, { force: true });
  }
}
