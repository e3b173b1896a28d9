import type { Kysely } from 'kysely';
import type { Tx } from './database.ts';
import type { Schema } from './schema.ts';

/** The stored value of a setting of the wall; undefined if none is stored. */
export async function readSetting(db: Kysely<Schema>, key: string): Promise<string | undefined> {
  return (await db.selectFrom('wall_settings').select('value').where('key', '=', key).executeTakeFirst())?.value;
}

export async function putSetting({ db }: Tx, key: string, value: string): Promise<void> {
  await db
    .insertInto('wall_settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** Locks a setting until the end of the transaction. Resolves to its value, `null` in JSON before it is set. */
export async function lockSetting({ db }: Tx, key: string): Promise<string> {
  const { value } = await db
    .insertInto('wall_settings')
    .values({ key, value: 'null' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: (eb) => eb.ref('wall_settings.value') }))
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}
