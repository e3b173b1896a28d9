import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { toLine } from '../admin/terminal.ts';

/** The numbers of rows in a copy. They are written into a file beside it when the copy has been checked. */
export interface Counts {
  users: number;
  posts: number;
}

const ending = '.backup';
const countsEnding = '.counts';
const lastNights = 14;
const lastMs = (lastNights + 1) * 24 * 3_600_000;

export const noteCounts = (file: string, { users, posts }: Counts): Promise<void> =>
  writeFile(file + countsEnding, `${JSON.stringify({ users, posts })}\n`, { mode: 0o600 });

interface Proven extends Counts {
  file: string;
}

/** The checked copies in a folder, the newest first. */
async function provenCopies(folder: string): Promise<Proven[]> {
  const proven: Proven[] = [];
  for (const { name } of await copiesIn(folder)) {
    const file = join(folder, name);
    const counts = await readFile(file + countsEnding, 'utf8').catch(() => undefined);
    if (counts !== undefined) proven.push({ ...(JSON.parse(counts) as Counts), file });
  }
  return proven;
}

/** Below this number of rows, a wall may lose half of them in a night for ordinary reasons. */
const smallest = 10;
const hasTwice = (before: number, now: number): boolean => before >= smallest && before >= now * 2;

/** The newest checked copy in the folder with at least twice as many people or posts. */
export async function largerCopy(folder: string, { users, posts }: Counts): Promise<Proven | undefined> {
  return (await provenCopies(folder)).find((proven) => hasTwice(proven.users, users) || hasTwice(proven.posts, posts));
}

/**
 * Removes copies that are older than 15 days, and files left by killed commands. The newest 14 copies stay even if they are
 * older: new copies may fail, or the clock may be ahead. The last checked copy, and the last one with twice as many rows, stay
 * until somebody removes them: newer copies may be of a wall that has lost its rows.
 */
export async function removeOldCopies(folder: string, second: string | undefined): Promise<void> {
  const [proven] = await provenCopies(folder);
  const larger = proven && (await largerCopy(dirname(proven.file), proven));
  const retained = new Set([proven, larger].flatMap((copy) => (copy ? [basename(copy.file)] : [])));
  await removeOld(folder, retained);
  // The second disk may be away.
  if (second !== undefined) await removeOld(second, retained).catch(() => {});
}

async function removeOld(folder: string, retained: ReadonlySet<string>): Promise<void> {
  const isOld = ({ at }: Dated): boolean => at < Date.now() - lastMs;
  const copies = await copiesIn(folder);
  const staying = new Set([...copies.slice(0, lastNights), ...copies.filter((copy) => !isOld(copy))].map(nameOf));
  const all = new Set(copies.map(nameOf));
  for (const file of await datedIn(folder)) {
    const copy = copyOf(file.name);
    const stays = all.has(copy) ? staying.has(copy) || retained.has(copy) : !isOld(file) || copies.length < lastNights;
    if (stays) continue;
    await rm(join(folder, file.name), { recursive: true }).catch(({ message }: Error) =>
      console.error(`Удалить не удалось: ${toLine(message)}`),
    );
  }
}

interface Dated {
  name: string;
  at: number;
}

const nameOf = ({ name }: Dated): string => name;

/** The name of the copy to which a file belongs: `A.backup` for `A.backup.sha256`. */
const copyOf = (name: string): string => name.slice(0, name.indexOf(ending) + ending.length);

async function datedIn(folder: string): Promise<Dated[]> {
  const names = (await readdir(folder)).filter((name) => name.includes(ending));
  return Promise.all(names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })));
}

const copiesIn = async (folder: string): Promise<Dated[]> =>
  (await datedIn(folder)).filter(({ name }) => name.endsWith(ending)).toSorted((one, other) => other.at - one.at);
