import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig, type Config } from '../../config.ts';
import { hasWall, sqliteFile } from '../../db/open-database.ts';
import { recordBackup, recordCopyCheck } from '../../ops/backups.ts';
import { CommandError, explain, toLine } from '../admin/terminal.ts';
import { checkCopy, refuseUnsound } from './check-copy.ts';
import { everyNight, nextNight } from './every-night.ts';
import { checksumFile, copyChecksummed } from './checksummed-file.ts';
import { heldOpen, refuseHeldOpen } from './held-open.ts';
import { largerCopy, noteCounts, removeOldCopies } from './retained-copies.ts';
import { backUpPostgres } from './postgres-copy.ts';
import { restorePostgres } from './postgres-restore.ts';
import { withClient } from './postgres-tools.ts';
import { backUpSqlite, writeSqlite } from './sqlite-copy.ts';
import { restoreSqlite } from './sqlite-restore.ts';

async function backUp(config: Config, { file }: Pick<CommandLine, 'file'>): Promise<string> {
  const began = performance.now();
  const statement = recordBackup(Math.floor(Date.now() / 1_000));
  const { databaseUrl, dataDir } = config;
  const held = databaseUrl ? undefined : await heldOpen(sqliteFile(dataDir));
  const bytes = databaseUrl ? await backUpPostgres(databaseUrl, file) : await backUpSqlite(dataDir, file, held);
  if (!held) await record(config, statement);
  const size = `${(bytes / 1_000_000).toFixed(1)} МБ, ${secondsSince(began)}`;
  const source = held ? `, из файлов, которые открыты у процесса ${held.pid}: в папке данных их больше нет` : '';
  const made = `Копия сделана и проверена: ${toLine(file)} (${size})${source}`;
  if (config.copyTo) await putSecond(file, config.copyTo, made);
  return made;
}

async function putSecond(file: string, folder: string, made: string): Promise<void> {
  try {
    await copyChecksummed(file, folder);
  } catch (error) {
    throw new CommandError(`${made}. Второй копии в ${toLine(folder)} (COPY_TO) нет: ${explain(error)}`);
  }
}

const secondsSince = (began: number): string => `${((performance.now() - began) / 1_000).toFixed(1)} с`;

/** Checks that the wall can be restored from its last copy, and records the result for the owners' page and the metrics. */
async function check(config: Config, { file }: Pick<CommandLine, 'file'>): Promise<string> {
  const began = performance.now();
  const at = Math.floor(Date.now() / 1_000);
  if (!config.databaseUrl) await refuseHeldOpen(sqliteFile(config.dataDir));
  const found = await checkCopy(config, file).catch(async (error: unknown) => {
    await record(config, recordCopyCheck({ at, posts: 0, differences: 0, failure: explain(error), shrunk: null }));
    throw error;
  });
  const { users, posts, differences } = found;
  const larger = await largerCopy(dirname(file), found);
  const shrunk = larger
    ? `людей ${larger.users} → ${users}, записей и ответов ${larger.posts} → ${posts}; прежняя копия ${toLine(basename(larger.file))}`
    : null;
  await record(config, recordCopyCheck({ at, posts, differences, failure: null, shrunk }));
  if (differences === 0) await noteCounts(file, found);
  if (differences > 0) throw new CommandError(`Копия не сходится со стеной, расхождений: ${differences}.`);
  if (shrunk !== null) {
    throw new CommandError(
      `Копия сходится со стеной, но стена стала меньше вдвое: ${shrunk}. Прежняя копия останется, пока вы её не уберёте.`,
    );
  }
  return `Из копии восстановилась стена: записей и ответов ${posts}, расхождений 0 (${secondsSince(began)})`;
}

async function nightly(config: Config, { file: folder, isService }: CommandLine): Promise<string> {
  if (!isService) return copyOfNight(config, folder);
  console.log(`Копии в ${toLine(folder)}, первая ${nextNight(new Date()).toLocaleString('ru')}`);
  return everyNight(async () => {
    try {
      console.log(await copyOfNight(config, folder));
    } catch (error) {
      console.error(explain(error));
    }
  });
}

/** Makes the copy of the night. Every step is tried, even if a previous one has failed. */
async function copyOfNight(config: Config, folder: string): Promise<string> {
  const file = unusedName(folder, new Date().toLocaleString('sv').replace(' ', '_').replaceAll(':', '-'));
  const failures: string[] = [];
  const attempt = (step: () => Promise<unknown>) =>
    step().catch((error: unknown) => void failures.push(explain(error)));
  await attempt(async () => console.log(await backUp(config, { file })));
  if (existsSync(file)) await attempt(async () => console.log(await check(config, { file })));
  await attempt(() => removeOldCopies(folder, config.copyTo));
  if (failures.length > 0) throw new CommandError(failures.join('\n'));
  return 'Старые копии удалены.';
}

/** An unused name, because two copies may be made within a second. */
function unusedName(folder: string, time: string): string {
  let file = join(folder, `${time}.backup`);
  for (let next = 2; existsSync(file); next += 1) file = join(folder, `${time}-${next}.backup`);
  return file;
}

/** Records a result in the database. A failure is only printed: the copy is good even if the disk is full or the database is a standby. */
async function record({ databaseUrl, dataDir }: Config, statement: string): Promise<void> {
  try {
    if (databaseUrl) await withClient(databaseUrl, (client) => client.query(statement));
    else writeSqlite(dataDir, statement);
  } catch (error) {
    console.error(`Записать это в базу не удалось: ${toLine((error as Error).message)}`);
  }
}

async function restore(config: Config, { file, replace, asItIs }: CommandLine): Promise<string> {
  const { databaseUrl, dataDir } = config;
  const hasChecksum = existsSync(checksumFile(file));
  // Beside a wall that may not be replaced, the copy is refused anyway.
  if (!hasChecksum && !asItIs && (replace || !(await hasWall(config)))) await refuseUnsound(config, file);
  const aside = databaseUrl
    ? await restorePostgres(databaseUrl, file, replace, asItIs)
    : await restoreSqlite(dataDir, file, replace, asItIs);
  return [
    `Стена восстановлена из ${toLine(file)}. Теперь можно запустить сервер.`,
    ...(aside === undefined ? [] : [`Прежние данные отложены: ${toLine(aside)}`]),
    ...(asItIs ? ['Копия не проверялась: выполните ./stena verify-data.'] : []),
    ...(hasChecksum || asItIs
      ? []
      : [
          'Контрольной суммы рядом с копией нет, поэтому всё в ней пересчитано. Изменённой буквы в записи так не заметить.',
        ]),
  ].join('\n');
}

export interface CommandLine {
  command: 'backup' | 'restore' | 'check-copy' | 'nightly-copy';
  /** The folder of the copies for `nightly-copy`. */
  file: string;
  replace: boolean;
  /** Whether the copy is restored without a check. */
  asItIs: boolean;
  /** Whether to keep running and make a copy every night. */
  isService: boolean;
}

const usage = {
  backup: './stena backup ФАЙЛ',
  restore: './stena restore ФАЙЛ [--replace] [--without-check]',
  'check-copy': './stena check-copy ФАЙЛ',
  'nightly-copy': './stena nightly-copy ПАПКА [--every-night]',
};

export function readArguments([name, ...args]: string[]): CommandLine {
  const command = name !== undefined && Object.hasOwn(usage, name) ? (name as keyof typeof usage) : 'backup';
  const { values, positionals } = parse(args, command);
  const [file, ...rest] = positionals;
  const { replace, 'without-check': asItIs, 'every-night': isService } = values;
  if (!file || rest.length > 0) throw misspelt(command);
  if (((replace || asItIs) && command !== 'restore') || (isService && command !== 'nightly-copy'))
    throw misspelt(command);
  return { command, file: resolve(file), replace, asItIs, isService };
}

function parse(args: string[], command: CommandLine['command']) {
  try {
    return parseArgs({
      args,
      options: {
        replace: { type: 'boolean', default: false },
        'without-check': { type: 'boolean', default: false },
        'every-night': { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
  } catch {
    throw misspelt(command);
  }
}

const misspelt = (command: CommandLine['command']): CommandError =>
  new CommandError(`Команда пишется так: ${usage[command]}`);

// At the end of the module, because it uses the constants above.
process.umask(0o077);
try {
  const commandLine = readArguments(process.argv.slice(2));
  const config = readConfig(process.env);
  const commands = { backup: backUp, restore, 'check-copy': check, 'nightly-copy': nightly };
  console.log(await commands[commandLine.command](config, commandLine));
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
