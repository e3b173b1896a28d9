import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../../config.ts';
import { type CarryScope, countCarried, makePart, tooMany } from '../../features/carries/carried-posts.ts';
import { carryFile } from '../../features/carries/carry-file.ts';
import { openWallSettings } from '../../features/wall-texts/wall-settings.ts';
import { openWall } from '../admin/open-wall.ts';
import { CommandError, explain, toLine } from '../admin/terminal.ts';

const misspelt = new CommandError('Команда пишется так: ./stena carry ФАЙЛ [--year 2026]');

function readArguments(args: string[]): { file: string; year: number | null } {
  try {
    const { values, positionals } = parseArgs({ args, options: { year: { type: 'string' } }, allowPositionals: true });
    const [file, ...rest] = positionals;
    if (!file || rest.length > 0 || (values.year !== undefined && !/^\d{4}$/.test(values.year))) throw misspelt;
    return { file, year: values.year === undefined ? null : Number(values.year) };
  } catch {
    throw misspelt;
  }
}

process.umask(0o077);
try {
  const { file, year } = readArguments(process.argv.slice(2));
  const config = readConfig(process.env);
  const db = await openWall(config);
  // A file that is cut short would open and lack posts.
  const unfinished = `${file}.unfinished`;
  try {
    const scope: CarryScope = { ofId: null, withOthers: true, year };
    const total = await countCarried(db, scope);
    const refusal = tooMany(total);
    if (refusal !== undefined) throw new CommandError(refusal);
    const parts = async function* (): AsyncGenerator<string> {
      for (let below: number | null = null, made; (made = await makePart(db, scope, below)); below = made.belowId)
        yield made.part;
    };
    const about = { at: Math.floor(Date.now() / 1_000), posts: total, of: null };
    const content = carryFile(await openWallSettings(db, config), about, parts());
    await pipeline(Readable.from(content), createWriteStream(unfinished));
    await rename(unfinished, file);
    console.log(`Стена в файле ${toLine(file)}, записей и ответов: ${total}. Откройте его в браузере.`);
  } finally {
    await rm(unfinished, { force: true });
    await db.close();
  }
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
