import type { Owner } from '#contract/posts.ts';
import type { Schema } from '../db/schema.ts';

/** The columns from which a person's names and face are shown. */
export const shownColumns = ['username', 'display_name', 'face', 'is_namesake'] as const;
export const shownColumnsOfU = ['u.username', 'u.display_name', 'u.face', 'u.is_namesake'] as const;

export type ShownNames = Omit<Owner, 'id' | 'newcomer_until'>;

export type ShownRow = Pick<Schema['users'], 'username' | 'display_name' | 'face'> & { is_namesake: number };

/** The names and the face as responses have them. A username is shown anyway, so nobody without a display name is a namesake. */
export function shownNames({ username, display_name, face, is_namesake: isNamesake }: ShownRow): ShownNames {
  const names: ShownNames = { username, display_name, face };
  if (isNamesake && display_name !== null) names.is_namesake = true;
  return names;
}
