import { randomBytes } from 'node:crypto';
import { link, lstat, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Refusal } from '../admin/refusal.ts';
import { line } from '../admin/terminal.ts';
import { makeDurable } from './durable.ts';

/**
 * Writes a file that its owner alone may read, and gives it its name once it is whole and on the disk; returns its size.
 * What already has that name stays as it is.
 */
export async function writeNewFile(file: string, fill: (draft: string) => Promise<void>): Promise<number> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await refuseTaken(file);
    await writeFile(draft, '', { mode: 0o600, flag: 'wx' });
    await fill(draft);
    await makeDurable(draft);
    // Unlike a rename, it takes nobody's place.
    await link(draft, file);
    await makeDurable(dirname(file));
    return (await stat(file)).size;
  } catch (error) {
    throw asRefusal(error, file);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Now rather than after the copying. */
async function refuseTaken(file: string): Promise<void> {
  const there = await lstat(file).catch(() => undefined);
  if (there) throw taken(file);
}

const taken = (file: string): Refusal => new Refusal(`Такой файл уже есть: ${line(file)}. Выберите другое имя.`);

function asRefusal(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return error.code === 'EEXIST' ? taken(file) : new Refusal(`Копия не сделана: ${line(error.message)}`);
}
