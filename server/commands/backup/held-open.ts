import { readdir, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CommandError, toLine } from '../admin/terminal.ts';

/** The files of a database in the folder of Linux that shows what a process has open. */
export interface HeldOpen {
  pid: string;
  database: string;
  wal: string;
}

/**
 * Finds the server that has a database open which has been deleted or replaced at its path: the last copy of the wall. Finds nothing on
 * other systems, and in other containers than the server's.
 */
export async function heldOpen(file: string): Promise<HeldOpen | undefined> {
  const path = join(await realpath(dirname(file)).catch(() => dirname(file)), basename(file));
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const folder = `/proc/${pid}/fd`;
    // Processes of other people cannot be read, and any may end meanwhile.
    const links = new Map<string, string>();
    for (const fd of await readdir(folder).catch(() => [])) {
      links.set(await readlink(join(folder, fd)).catch(() => ''), join(folder, fd));
    }
    const openAt = (name: string) => links.get(`${name} (deleted)`) ?? links.get(name);
    const [database, wal] = [openAt(path), openAt(`${path}-wal`)];
    if (database && wal && ['', '-wal', '-shm'].some((ending) => links.has(`${path}${ending} (deleted)`)))
      return { pid, database, wal };
    if (wal && !database)
      throw new CommandError(
        `Файл базы перенесён, а процесс ${pid} работает с ним: верните его на место, ${toLine(path)}.`,
      );
  }
  return undefined;
}

/** Refuses to do something with a database while a server has the one open that was there before. */
export async function refuseHeldOpen(file: string): Promise<void> {
  const held = await heldOpen(file);
  if (!held) return;
  throw new CommandError(
    `Файл ${toLine(file)} удалён или заменён, а у процесса ${held.pid} открыт прежний: сделайте из него копию (./stena backup ФАЙЛ), остановите процесс и повторите.`,
  );
}
