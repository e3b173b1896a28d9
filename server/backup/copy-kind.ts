import { open } from 'node:fs/promises';
import { Refusal } from '../admin/refusal.ts';
import { line } from '../admin/terminal.ts';
import type { Database } from '../db/database.ts';
import { loadMigrations } from '../db/migrate.ts';
import { notACopy } from './refusals.ts';

type Engine = Database['engine'];

const beginnings: Record<Engine, string> = { sqlite: 'SQLite format 3\0', postgres: 'PGDMP' };
const names: Record<Engine, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

/** Refuses what is no copy for this engine before anything else looks into it. */
export async function refuseOtherKind(file: string, engine: Engine): Promise<void> {
  const beginning = await beginningOf(file);
  const kind = (['sqlite', 'postgres'] as const).find((one) => beginning.startsWith(beginnings[one]));
  if (!kind) throw notACopy(file);
  if (kind !== engine) {
    throw new Refusal(
      `Это копия стены на ${names[kind]}, а по настройкам стена на ${names[engine]}: проверьте DATABASE_URL.`,
    );
  }
}

/** An older copy is brought up to date at the next start; a newer one this program would not understand. */
export async function refuseNewer(version: number, engine: Engine): Promise<void> {
  const newest = (await loadMigrations(engine)).at(-1)!.version;
  if (version > newest) {
    throw new Refusal(
      `Копия сделана более новой программой (версия данных ${version}, эта знает ${newest}): сначала обновите программу.`,
    );
  }
}

async function beginningOf(file: string): Promise<string> {
  try {
    const handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0).finally(() => handle.close());
    return buffer.toString('latin1', 0, bytesRead);
  } catch (error) {
    throw new Refusal(`Копию не прочесть: ${line((error as Error).message)}`);
  }
}
