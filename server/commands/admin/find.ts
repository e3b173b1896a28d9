import { currentNameOf, findCurrentUser, findUser } from '../../features/account/account-store.ts';
import type { Tx } from '../../db/database.ts';
import { parseId } from '../../db/ids.ts';
import { CommandError, toLine } from './terminal.ts';
import { usernameKey } from '#contract/username.ts';

function postIdOf(target: string | undefined): number {
  const id = parseId(target ?? '');
  if (id === undefined)
    throw new CommandError(`Номер записи должен быть числом, как в её адресе, а не «${toLine(target ?? '')}».`);
  return id;
}

interface Person {
  id: number;
  username: string;
  /** The first line of the output where the person was found by a former name; otherwise empty. */
  heading: string;
}

const idPrefix = '#';
const postPrefix = 'post:';

/** Finds a person by name, by former name, by `#` and the id, or by `post:` and the id of one of their posts. */
export async function findPerson({ db }: Pick<Tx, 'db'>, target = '', now: number): Promise<Person> {
  const found = await lookUp(db, target, now);
  if (!found) throw new CommandError(`Пользователя ${toLine(target)} нет.`);
  const isAsNamed = /[#:]/.test(target) || usernameKey(target) === usernameKey(found.username);
  const heading = isAsNamed ? '' : `Имя ${toLine(target)} оставлено, теперь это ${found.username}.\n`;
  return { id: Number(found.id), username: found.username, heading };
}

async function lookUp(
  db: Tx['db'],
  target: string,
  now: number,
): Promise<{ id: string; username: string } | undefined> {
  if (target.startsWith(idPrefix)) {
    const id = parseId(target.slice(idPrefix.length));
    return id === undefined ? undefined : findCurrentUser(db, id);
  }
  if (target.startsWith(postPrefix))
    return findCurrentUser(db, await authorOf(db, postIdOf(target.slice(postPrefix.length))));
  const user = await findUser(db, target);
  if (user) return user;
  const current = await currentNameOf(db, target, now);
  return current === undefined ? undefined : findUser(db, current);
}

/** The author of a post in any state but gone. */
async function authorOf(db: Tx['db'], id: number): Promise<number> {
  const post = await db.selectFrom('all_posts').select('user_id').where('id', '=', id).executeTakeFirst();
  if (!post?.user_id) throw new CommandError(`Записи ${id} нет.`);
  return post.user_id;
}
