import { existsSync } from 'node:fs';
import { explain } from '../admin/explain.ts';
import { line } from '../admin/terminal.ts';
import { type Config, readConfig } from '../config.ts';
import { checksumFile } from './checksum.ts';
import { backUpPostgres } from './postgres-backup.ts';
import { restorePostgres } from './postgres-restore.ts';
import { type Order, readArguments } from './read-arguments.ts';
import { backUpSqlite } from './sqlite-backup.ts';
import { restoreSqlite } from './sqlite-restore.ts';

process.umask(0o077);
try {
  const order = readArguments(process.argv.slice(2));
  const config = readConfig(process.env);
  console.log(order.command === 'backup' ? await backUp(config, order) : await restore(config, order));
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

async function backUp({ databaseUrl, dataDir }: Config, { file }: Order): Promise<string> {
  const began = performance.now();
  const bytes = databaseUrl ? await backUpPostgres(databaseUrl, file) : await backUpSqlite(dataDir, file);
  const size = `${(bytes / 1_000_000).toFixed(1)} МБ, ${((performance.now() - began) / 1_000).toFixed(1)} с`;
  return `Копия сделана и проверена: ${line(file)} (${size})`;
}

async function restore({ databaseUrl, dataDir }: Config, { file, replace }: Order): Promise<string> {
  const aside = databaseUrl
    ? await restorePostgres(databaseUrl, file, replace)
    : await restoreSqlite(dataDir, file, replace);
  return [
    `Стена восстановлена из ${line(file)}. Теперь можно запустить сервер.`,
    ...(aside === undefined ? [] : [`Прежние данные отложены: ${line(aside)}`]),
    ...(existsSync(checksumFile(file))
      ? []
      : ['Контрольной суммы рядом с копией нет: повреждённые биты могли остаться незамеченными.']),
  ].join('\n');
}
