import type { Database, Tx } from '../../db/database.ts';
import { reserveIds } from '../../db/ids.ts';
import { putSetting, readSetting } from '../../db/wall-setting-rows.ts';
import { displayNameProblem } from '../../features/account/keeper-names.ts';
import { findTakenNames } from '../../features/account/account-store.ts';
import { importedEmail } from '../../features/moderation/claims.ts';
import { bestJob } from '../../features/lists/update-best.ts';
import { type History, writeHistory } from '../../features/posts/write-history.ts';
import { startAnew } from '../../live/log-reader.ts';
import { CommandError } from '../admin/terminal.ts';
import { usernamesFor } from './names.ts';
import type { StagedPerson, Staging } from './staging.ts';

/** Rows per transaction, which blocks the writes of a server on the same SQLite file for a tenth of a second. */
const batchSize = 1_000;

/** The progress of the import. It is written in the transaction of each batch, so an interrupted import can be continued. */
export interface Progress {
  /** The hash of the file. */
  file: string;
  /** Ids of the first person and the first post. */
  user: number;
  post: number;
  people: number;
  posts: number;
  isComplete: boolean;
}

const key = 'import';

export async function findProgress({ db }: Pick<Tx, 'db'>): Promise<Progress | undefined> {
  const stored = await readSetting(db, key);
  return stored === undefined ? undefined : (JSON.parse(stored) as Progress);
}

const store = (tx: Tx, progress: Progress): Promise<void> => putSetting(tx, key, JSON.stringify(progress));

const notEmpty =
  'На этой стене уже есть записи, а перенести можно только в пустую. Сохраните её (./stena backup ФАЙЛ) и укажите в DATA_DIR или DATABASE_URL место для новой.';

/** Refuses a wall with posts that were not imported. */
export async function refuseUnlessEmpty({ read: db }: Pick<Database, 'read'>): Promise<void> {
  const post = await db.selectFrom('posts').select('id').limit(1).executeTakeFirst();
  if (post && !(await findProgress({ db }))) throw new CommandError(notEmpty);
}

/** The error if another file has been imported before. */
export const otherFile = ({ isComplete }: Progress): CommandError =>
  new CommandError(
    isComplete
      ? notEmpty
      : 'Здесь прерван перенос другого файла. Запустите его с тем же файлом ещё раз или начните новую стену.',
  );

/** Writes the staged contents that are still missing. Calls `onProgress` after each batch with the number of posts on the wall. */
export async function writeWall(
  db: Database,
  staging: Staging,
  { file, people, posts, wallNames }: { file: string; people: number; posts: number; wallNames: readonly string[] },
  onProgress: (posts: number) => void,
): Promise<Progress> {
  let progress = await db.tx(async (tx): Promise<Progress> => {
    const begun = await findProgress(tx);
    if (begun) return begun;
    const user = await reserveIds(tx, 'users', people);
    const post = await reserveIds(tx, 'posts', posts);
    const fresh = { file, user, post, people: 0, posts: 0, isComplete: false };
    await store(tx, fresh);
    return fresh;
  });
  while (!progress.isComplete) {
    const before = progress;
    progress = await db.tx(async (tx) => {
      const written = await writeBatch(tx, staging, before, wallNames);
      await store(tx, written);
      if (written.isComplete) await startAnew(tx, bestJob);
      return written;
    });
    onProgress(progress.posts);
  }
  return progress;
}

/** People are written before posts, because a person may have given a like before the person's first post. */
async function writeBatch(
  tx: Tx,
  staging: Staging,
  progress: Progress,
  wallNames: readonly string[],
): Promise<Progress> {
  const [user, post] = [progress.user - 1, progress.post - 1];
  const people = staging.people(progress.people, batchSize);
  if (people.length > 0) {
    const names = await chooseNames(tx, people);
    const rows = people.map(({ n, name, at }, i) => ({
      id: user + n,
      username: names[i]!,
      displayName: name !== '' && displayNameProblem(name, wallNames) === null ? name : 'Без имени',
      face: null,
      email: importedEmail(user + n),
      createdAt: at,
      newcomerUntil: null,
    }));
    await writeHistory(tx, { people: rows, posts: [], likes: [] });
    return { ...progress, people: people.at(-1)!.n };
  }
  const posts = staging.posts(progress.posts, batchSize);
  const last = posts.at(-1)?.n;
  if (last === undefined) return { ...progress, isComplete: true };
  const idOf = (n: number | null): number | null => (n === null ? null : post + n);
  const history: History = {
    people: [],
    posts: posts.map(({ n, person, at, text, depth, root, replied }) => ({
      id: post + n,
      userId: user + person,
      text,
      createdAt: at,
      modifiedAt: null,
      parentId: idOf(root),
      repliedId: idOf(replied),
      depth,
    })),
    likes: staging
      .likes(progress.posts + 1, last)
      .map((like) => ({ postId: post + like.post, userId: user + like.person, createdAt: like.at })),
  };
  await writeHistory(tx, history);
  return { ...progress, posts: last };
}

/** Usernames that are not taken (`findTakenNames`) and that nobody else gets in the same batch. */
async function chooseNames({ db }: Tx, people: readonly StagedPerson[]): Promise<string[]> {
  const wanted = people.map(usernamesFor);
  const taken = new Set(await findTakenNames(db, wanted.flat()));
  return wanted.map((names) => {
    const name = names.find((each) => !taken.has(each))!;
    taken.add(name);
    return name;
  });
}
