import type { Kysely } from 'kysely';
import { unnamedWall } from '#contract/page-data.ts';
import type { FirstSteps } from '#contract/wall-admin.ts';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { putSetting, readSetting } from '../../db/wall-setting-rows.ts';
import { nameOfOwner } from '../moderation/roles.ts';
import type { WallTexts } from '../wall-texts/operator-texts.ts';
import type { WallSettings } from '../wall-texts/wall-settings.ts';

/** The key in `wall_settings` that says whether an owner has hidden the first steps. */
const hiddenKey = 'first_steps_hidden';

export const hideFirstSteps = (tx: Tx, isHidden: boolean): Promise<void> =>
  putSetting(tx, hiddenKey, JSON.stringify(isHidden));

interface FirstStepsOptions {
  wall: Pick<WallSettings, 'appName'>;
  wallTexts: Pick<WallTexts, 'sources'>;
}

/** Which of the first steps are done. All owners see the same steps. */
export async function findFirstSteps(db: Kysely<Schema>, { wall, wallTexts }: FirstStepsOptions): Promise<FirstSteps> {
  const isAny = async (table: 'posts' | 'invites'): Promise<boolean> =>
    (await db.selectFrom(table).select('id').limit(1).executeTakeFirst()) !== undefined;
  const [name, post, invite, hidden] = await Promise.all([
    nameOfOwner(db),
    isAny('posts'),
    isAny('invites'),
    readSetting(db, hiddenKey),
  ]);
  const rules = wallTexts.sources().some((text) => text.name === 'rules' && text.source !== 'default');
  const about = wall.appName !== unnamedWall;
  return { about, name, rules, post, invite, is_hidden: hidden === JSON.stringify(true) };
}
