import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { readConfig } from '../../config.ts';
import { makeDataFolder } from '../../data-folder.ts';
import type { Database } from '../../db/database.ts';
import { CommandError, explain } from '../admin/command-error.ts';
import { openWall } from '../admin/open-wall.ts';
import { line } from '../admin/terminal.ts';
import { showProgress } from './progress.ts';
import { readJsonLines } from './read-json-lines.ts';
import { readTelegram } from './read-telegram.ts';
import { report } from './report.ts';
import { WrongFile } from './source.ts';
import { Staging, type Summary } from './staging.ts';
import { findProgress, otherFile, refuseUnlessEmpty, writeWall } from './write-wall.ts';

const kinds = { telegram: readTelegram, jsonl: readJsonLines };
const usage = 'Как переносить: ./stena import telegram|jsonl ФАЙЛ [--dry-run]';
const chunkBytes = 2 ** 20;

type Print = (text: string) => void;

interface Terminal {
  print: Print;
  complain: Print;
}

/** Runs the command; resolves to its exit code. `print` gets the lines of its output, `complain` that of its error. */
export async function runImport(
  args: string[],
  env: NodeJS.ProcessEnv,
  { print, complain }: Terminal,
): Promise<number> {
  try {
    await carryOut(args, env, print);
    return 0;
  } catch (error) {
    complain(error instanceof WrongFile ? line(error.message) : explain(error));
    return 1;
  }
}

async function carryOut(args: string[], env: NodeJS.ProcessEnv, print: Print): Promise<void> {
  const { read, path, dryRun } = readArguments(args);
  const config = readConfig(env);
  const db = await openWall(config);
  try {
    if (!dryRun) await refuseUnlessEmpty(db);
    // Not the folder for temporary files of the system, which may be in memory.
    process.env['SQLITE_TMPDIR'] = config.dataDir;
    await makeDataFolder(config.dataDir);
    using staging = new Staging();
    const file = await stage(read, path, staging);
    const summary = staging.summary();
    print(report(summary));
    if (!dryRun) await write(db, staging, { ...summary, file }, print);
  } finally {
    await db.close();
  }
}

async function write(
  db: Database,
  staging: Staging,
  { file, people, posts, replies }: Summary & { file: string },
  print: Print,
): Promise<void> {
  const total = posts + replies;
  if (total === 0) throw new CommandError('Переносить нечего.');
  const begun = await findProgress({ db: db.read });
  if (begun && begun.file !== file) throw otherFile(begun);
  await writeWall(db, staging, { file, people, posts: total }, showProgress(total, print));
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

/** Reads the file to its end; resolves to its hash, by which an interrupted import knows it again. */
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
    if (code !== undefined && syscall !== undefined) throw new CommandError(`Файл не читается: ${line(message)}`);
    throw error;
  }
  return hash.digest('hex');
}
