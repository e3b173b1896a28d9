import { open, stat } from 'node:fs/promises';
import { CommandError } from '../admin/terminal.ts';
import type { Database } from '../../db/database.ts';
import { loadMigrations } from '../../db/migrate.ts';
import { irregular, notACopy, unreadable } from './backup-errors.ts';

type Engine = Database['engine'];

const signatures: Record<Engine, string> = { sqlite: 'SQLite format 3\0', postgres: 'PGDMP' };

/** The engine of a copy, read from its first bytes. */
export async function kindOf(file: string): Promise<Engine> {
  const beginning = await beginningOf(file);
  const kind = (['sqlite', 'postgres'] as const).find((one) => beginning.startsWith(signatures[one]));
  return kind ?? Promise.reject(notACopy(file));
}

/** Refuses a copy made by a newer program. An older copy is migrated when the server starts. */
export async function refuseNewer(version: number, engine: Engine): Promise<void> {
  const newest = (await loadMigrations(engine)).at(-1)!.version;
  if (version > newest) {
    throw new CommandError(
      `Копия сделана более новой программой (версия данных ${version}, эта знает ${newest}): сначала обновите программу.`,
    );
  }
}

/** Refuses a copy of any other version: a copy cannot be migrated while it is moved to another engine. */
export async function refuseOther(version: number, engine: Engine): Promise<void> {
  await refuseNewer(version, engine);
  const newest = (await loadMigrations(engine)).at(-1)!.version;
  if (version < newest) {
    throw new CommandError(
      `Копия сделана более старой программой (версия данных ${version}, нужна ${newest}): запустите эту программу на прежних данных и сделайте копию заново.`,
    );
  }
}

async function beginningOf(file: string): Promise<string> {
  try {
    // Only regular files are opened, because opening a pipe would wait for its writer.
    if (!(await stat(file)).isFile()) throw irregular(file);
    const handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0).finally(() => handle.close());
    return buffer.toString('latin1', 0, bytesRead);
  } catch (error) {
    throw error instanceof CommandError ? error : await unreadable(error as Error);
  }
}
