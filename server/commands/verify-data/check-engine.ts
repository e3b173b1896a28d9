import { sqliteFile } from '../../db/open-database.ts';
import type { Config } from '../../config.ts';
import { checkFile } from '../../db/sqlite/damage.ts';
import { CommandError, toLine } from '../admin/terminal.ts';
import { withClient } from '../backup/postgres-tools.ts';

/** Lets the engine check its files and indexes, and returns what was checked; throws when something is damaged. */
export async function checkEngine({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<string> {
  if (databaseUrl) return checkIndexes(databaseUrl);
  checkFile(sqliteFile(dataDir), 'integrity_check');
  return 'Файл базы цел (PRAGMA integrity_check).';
}

const isAllowed = `select coalesce(has_function_privilege(to_regprocedure('bt_index_check(regclass, boolean)'), 'execute'), false) as allowed`;

/** Checks each B-tree index. With `true`, also checks that the index has an entry for each row of the table. */
const checkEach = `
  select bt_index_check(i.indexrelid::regclass, true)
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
  where c.relnamespace = 'public'::regnamespace and a.amname = 'btree' and i.indisvalid`;

function checkIndexes(databaseUrl: string): Promise<string> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ allowed: boolean }>(isAllowed);
    if (!rows[0]!.allowed)
      return 'Индексы не проверены: в базе нет расширения amcheck или роли стены нельзя его выполнять.';
    try {
      await client.query(checkEach);
    } catch (error) {
      throw new CommandError(
        `База PostgreSQL повреждена: ${toLine((error as Error).message)}. Индекс чинит reindex, таблицу — копия: ./stena restore ФАЙЛ --replace`,
      );
    }
    return 'Индексы целы (amcheck).';
  });
}
