import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../../config.ts';
import { makeDataFolder } from '../../data-folder.ts';
import type { Database } from '../../db/database.ts';
import { hasWall, openDatabase, sqliteFile } from '../../db/open-database.ts';
import { readWallSettings } from '../../features/wall-texts/wall-settings.ts';
import { columns, CommandError, explain, toLine } from '../admin/terminal.ts';
import { readJsonLines } from './read-json-lines.ts';
import { readTelegram } from './read-telegram.ts';
import { WrongFile } from './source.ts';
import { Staging, type Summary } from './staging.ts';
import { findProgress, otherFile, refuseUnlessEmpty, writeWall } from './write-wall.ts';

const number = new Intl.NumberFormat('ru-RU');
const day = new Intl.DateTimeFormat('ru-RU', { dateStyle: 'long' });
const dayOf = (seconds: number | null): string => (seconds === null ? '' : day.format(seconds * 1_000));

/** The contents of the file, before anything is written. */
function report(summary: Summary): string {
  const { people, posts, replies, likes, orphans, long, longest, first, last, media, skipped, lines } = summary;
  const listed = (counts: ReadonlyMap<string, number>): Array<[string, string]> =>
    [...counts].toSorted(([, a], [, b]) => b - a).map(([name, n]) => [`  ${toLine(name)}`, number.format(n)]);
  const rows: Array<[string, string]> = [
    ['Людей', number.format(people)],
    ['Записей', number.format(posts)],
    ['Ответов', number.format(replies)],
    ['Отметок «Нравится»', number.format(likes)],
    ['Ответов на то, чего в файле нет (станут записями)', number.format(orphans)],
    ['Длиннее 500 знаков (останутся целиком)', `${number.format(long)}, самый длинный: ${number.format(longest)}`],
    ['Даты', `${dayOf(first)} — ${dayOf(last)}`],
  ];
  if (media.size > 0) rows.push(['Вложения станут словами в скобках', ''], ...listed(media));
  if (skipped.size > 0) rows.push(['Не переносится', ''], ...listed(skipped));
  for (const [reason, numbers] of lines) {
    const rest = skipped.get(reason)! > numbers.length ? ' и дальше' : '';
    rows.push([`  строки файла: ${reason}`, `${numbers.join(', ')}${rest}`]);
  }
  return columns(rows);
}

const width = 30;

/** Draws a bar on a terminal; elsewhere prints a line for each tenth. */
function showProgress(total: number, print: (text: string) => void): (done: number) => void {
  const { stderr } = process;
  let shown = 0;
  return (done) => {
    const share = done / total;
    if (stderr.isTTY) {
      const full = Math.round(share * width);
      stderr.write(`\r${'█'.repeat(full)}${'░'.repeat(width - full)} ${done} из ${total}${done === total ? '\n' : ''}`);
    } else if (Math.floor(share * 10) > shown) {
      shown = Math.floor(share * 10);
      print(`${done} из ${total}`);
    }
  };
}

const kinds = { telegram: readTelegram, jsonl: readJsonLines };
const usage = 'Как переносить: ./stena import telegram|jsonl ФАЙЛ [--dry-run]';
const chunkBytes = 2 ** 20;

type Print = (text: string) => void;

interface Terminal {
  print: Print;
  complain: Print;
}

/** Runs the command; resolves to its exit code. `print` gets the lines of the output, `complain` the line of an error. */
export async function runImport(
  args: string[],
  env: NodeJS.ProcessEnv,
  { print, complain }: Terminal,
): Promise<number> {
  try {
    await carryOut(args, env, print);
    return 0;
  } catch (error) {
    complain(error instanceof WrongFile ? toLine(error.message) : explain(error));
    return 1;
  }
}

async function carryOut(args: string[], env: NodeJS.ProcessEnv, print: Print): Promise<void> {
  const { read, path, dryRun } = readArguments(args);
  const config = readConfig(env);
  const db = dryRun ? undefined : await openOrMakeWall(config, print);
  try {
    if (db) await refuseUnlessEmpty(db);
    // The system's folder for temporary files may be in memory, so the data folder is used.
    process.env['SQLITE_TMPDIR'] = config.dataDir;
    await makeDataFolder(config.dataDir);
    const wallNames = [config.appName, (db && (await readWallSettings(db.read)).name) ?? config.appName];
    using staging = new Staging(wallNames);
    const file = await stage(read, path, staging);
    const summary = staging.summary();
    print(report(summary));
    if (db) await write(db, staging, { ...summary, file, wallNames }, print);
  } finally {
    await db?.close();
  }
}

/** Opens the wall, or makes it if the import runs before the first start of the server. */
async function openOrMakeWall(config: Config, print: Print): Promise<Database> {
  const isNew = !(await hasWall(config));
  const db = await openDatabase(config, (error) => process.stderr.write(`${toLine(error.message)}\n`));
  if (isNew)
    print(
      `Стены здесь не было, и она создана: ${toLine(config.databaseUrl ? 'PostgreSQL' : sqliteFile(config.dataDir))}`,
    );
  return db;
}

async function write(
  db: Database,
  staging: Staging,
  { file, people, posts, replies, wallNames }: Summary & { file: string; wallNames: readonly string[] },
  print: Print,
): Promise<void> {
  const total = posts + replies;
  if (total === 0) throw new CommandError('Переносить нечего.');
  const begun = await findProgress({ db: db.read });
  if (begun && begun.file !== file) throw otherFile(begun);
  await writeWall(db, staging, { file, people, posts: total, wallNames }, showProgress(total, print));
  print(
    begun?.isComplete
      ? 'Всё это уже на стене: ничего не изменено.'
      : `Перенесено: людей ${people}, записей и ответов ${total}.`,
  );
}

function readArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean' } },
    });
    const [kind = '', path, ...more] = positionals;
    if (!Object.hasOwn(kinds, kind) || path === undefined || more.length > 0) throw new CommandError(usage);
    return { read: kinds[kind as keyof typeof kinds], path, dryRun: values['dry-run'] ?? false };
  } catch {
    throw new CommandError(usage);
  }
}

/** Reads the whole file; resolves to its hash, by which an interrupted import recognizes the file. */
async function stage(read: (typeof kinds)['jsonl'], path: string, staging: Staging): Promise<string> {
  const hash = createHash('sha256');
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
      hash.update(chunk as Buffer);
      yield chunk as Buffer;
    }
  }
  try {
    await staging.take(read(chunks()), Math.floor(Date.now() / 1_000));
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code !== undefined && syscall !== undefined) throw new CommandError(`Файл не читается: ${toLine(message)}`);
    throw error;
  }
  return hash.digest('hex');
}
