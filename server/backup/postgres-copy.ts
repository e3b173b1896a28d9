import { Refusal } from '../admin/refusal.ts';
import { line } from '../admin/terminal.ts';
import { runTool } from './postgres-tools.ts';
import { damaged, notACopy } from './refusals.ts';

/** The kinds of entries that the migrations make, as pg_restore lists them, and those every dump has. */
const known =
  /^(TABLE|TABLE DATA|SEQUENCE|SEQUENCE OWNED BY|SEQUENCE SET|VIEW|DEFAULT|CONSTRAINT|FK CONSTRAINT|INDEX|SCHEMA|COMMENT|STATISTICS DATA) (public|-) /;

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
  await refuseForeign(file);
  const migrations = ['--data-only', `--schema=${schema}`, '--table=migrations', '--file=-'];
  const rows = await runTool('pg_restore', [...migrations, file]);
  const versions = [...rows.matchAll(/^(\d+)\t/gm)].map(([, version]) => Number(version));
  if (versions.length === 0) throw notACopy(file);
  return Math.max(...versions);
}

/** A trigger, a rule or a function in a copy would run with the server's writes. */
async function refuseForeign(file: string): Promise<void> {
  const list = await runTool('pg_restore', ['--list', file]);
  const entries = [...list.matchAll(/^\d+; \d+ \d+ (.+)$/gm)].map(([, entry]) => entry!);
  const foreign = entries.filter((entry) => !known.test(entry));
  if (foreign.length > 0)
    throw new Refusal(`В копии есть то, чего у стены не бывает: ${line(foreign.join(', '))}. Восстановить её нельзя.`);
}
