import type { Kysely } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

export const registrationModes = ['open', 'invite'] as const;
export type RegistrationMode = (typeof registrationModes)[number];

const key = 'registration';

export async function registrationMode(db: Kysely<Schema>): Promise<RegistrationMode> {
  const setting = await db.selectFrom('wall_settings').select('value').where('key', '=', key).executeTakeFirst();
  return setting?.value === 'invite' ? 'invite' : 'open';
}

export async function setRegistrationMode({ db }: Tx, value: RegistrationMode): Promise<void> {
  await db
    .insertInto('wall_settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
