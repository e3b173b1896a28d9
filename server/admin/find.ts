import { findUser } from '../account/store.ts';
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
}

/** Whoever has the name now. */
export async function findPerson({ db }: Pick<Tx, 'db'>, name: string | undefined): Promise<Person> {
  const user = await findUser(db, name ?? '');
  if (!user) throw new Refusal(`Пользователя ${line(name ?? '')} нет.`);
  return { id: Number(user.id), username: user.username };
}
