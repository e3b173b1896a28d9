import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';

const key = 'last_backup';

/** The statement that records when a backup was begun, for both engines. The commands run it beside any version of the program. */
export const recordBackup = (unixSeconds: number): string =>
  `insert into wall_settings (key, value) values ('${key}', '${unixSeconds}') on conflict (key) do update set value = excluded.value`;

/** Unix seconds; 0 before the first backup. */
export async function lastBackup(db: Kysely<Schema>): Promise<number> {
  const setting = await db.selectFrom('wall_settings').select('value').where('key', '=', key).executeTakeFirst();
  return Number(setting?.value ?? 0);
}
