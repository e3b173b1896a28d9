import { DatabaseSync } from 'node:sqlite';
import { StorageDamaged } from '../database.ts';
import { isDamaged } from './sqlite-errors.ts';

export const damageOf = (file: string, reason: string): StorageDamaged =>
  new StorageDamaged(
    `База ${file} повреждена (${reason}): проверьте диск, затем поставьте на её место последнюю копию: ./stena restore ФАЙЛ --replace`,
  );

/** Runs `work`. Replaces SQLite's error about damage by an error that names the file and says what to do. */
export function namingDamage<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isDamaged(error) ? damageOf(file, (error as Error).message) : error;
  }
}

/** Checks the whole file. `quick_check` does not compare the indexes with their tables. */
export function checkFile(file: string, check: 'quick_check' | 'integrity_check'): void {
  namingDamage(file, () => {
    const database = new DatabaseSync(file, { timeout: 5_000, readOnly: true });
    try {
      const found = database.prepare(`pragma ${check}(1)`).get()![check];
      if (found !== 'ok') throw damageOf(file, String(found));
    } finally {
      database.close();
    }
  });
}
