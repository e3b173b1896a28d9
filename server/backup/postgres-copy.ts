import { Refusal } from '../admin/refusal.ts';
import { runTool } from './postgres-tools.ts';
import { damaged, notACopy } from './refusals.ts';

/** The wall's tables lie here. */
export const schema = 'public';

/** Reads all of a copy, to say of which version it is or that it is damaged. */
export async function inspectPostgresCopy(file: string): Promise<number> {
  try {
    await runTool('pg_restore', ['--file=/dev/null', file]);
  } catch (error) {
    // Of the tool that is missing its own words are clearer.
    throw error instanceof Refusal && error.message.startsWith('pg_restore:') ? damaged(file, error.message) : error;
  }
  const migrations = ['--data-only', `--schema=${schema}`, '--table=migrations', '--file=-'];
  const rows = await runTool('pg_restore', [...migrations, file]);
  const versions = [...rows.matchAll(/^(\d+)\t/gm)].map(([, version]) => Number(version));
  if (versions.length === 0) throw notACopy(file);
  return Math.max(...versions);
}
