import { currentNameOf } from '../account/left-names.ts';
import { findCurrentUser, findUser, usernameKey } from '../account/store.ts';
import type { Tx } from '../db/database.ts';
import { parseId } from '../posts/rules.ts';
import { Refusal } from './refusal.ts';
import { line } from './terminal.ts';

export function postIdOf(target: string | undefined): number {
  const id = parseId(target ?? '');
  if (id === undefined)
    throw new Refusal(`Номер записи должен быть числом, как в её адресе, а не «${line(target ?? '')}».`);
  return id;
}

export interface Person {
  id: number;
  username: string;
  /** A line to be said first, when they were named by a name they have left. */
  heading: string;
}

const byNumber = '#';
const byPost = 'post:';

/** Finds a person by their name, a name they left, `#` and their number, or `post:` and the number of a post of theirs. */
export async function findPerson({ db }: Pick<Tx, 'db'>, target = '', now: number): Promise<Person> {
  const found = await lookUp(db, target, now);
  if (!found) throw new Refusal(`Пользователя ${line(target)} нет.`);
  const isAsNamed = /[#:]/.test(target) || usernameKey(target) === usernameKey(found.username);
  const heading = isAsNamed ? '' : `Имя ${line(target)} оставлено, теперь это ${found.username}.\n`;
  return { id: Number(found.id), username: found.username, heading };
}

async function lookUp(
  db: Tx['db'],
  target: string,
  now: number,
): Promise<{ id: string; username: string } | undefined> {
  if (target.startsWith(byNumber)) {
    const id = parseId(target.slice(byNumber.length));
    return id === undefined ? undefined : findCurrentUser(db, id);
  }
  if (target.startsWith(byPost)) return findCurrentUser(db, await authorOf(db, postIdOf(target.slice(byPost.length))));
  const user = await findUser(db, target);
  if (user) return user;
  const current = await currentNameOf(db, target, now);
  return current === undefined ? undefined : findUser(db, current);
}

/** Of a post on the wall, or of a hidden one. */
async function authorOf(db: Tx['db'], id: number): Promise<number> {
  const author = (table: 'posts' | 'hidden_posts') =>
    db.selectFrom(table).select('user_id').where('id', '=', id).executeTakeFirst();
  const post = (await author('posts')) ?? (await author('hidden_posts'));
  if (!post) throw new Refusal(`Записи ${id} нет.`);
  return post.user_id;
}
