import { hash } from 'node:crypto';
import type { Tx } from '../../db/database.ts';
import { lockSetting, putSetting } from '../../db/wall-setting-rows.ts';
import type { RegistrationMode, WallSetting } from '../wall-texts/wall-settings.ts';
import { registrationMode, setRegistrationMode } from './invites.ts';
import { type By, type Outcome, recordAct } from './journal.ts';

/** Changes a setting of the wall; null restores its first value. The journal names a text by its hash, as consents do. */
export async function actSetting(tx: Tx, key: WallSetting, value: string | null, by: By): Promise<Outcome> {
  const before = JSON.parse(await lockSetting(tx, key)) as string | null;
  if (before === value) return { refused: 'already' };
  await putSetting(tx, key, JSON.stringify(value));
  tx.touch('wall');
  if (!key.endsWith('.md')) {
    return { actId: await recordAct(tx, by, { action: 'settings', target: key, details: { before, after: value } }) };
  }
  const details = { hash: value === null ? null : hash('sha256', value) };
  return { actId: await recordAct(tx, by, { action: 'wall-text', target: key, details }) };
}

/** Changes who may register. */
export async function actRegistration(tx: Tx, mode: RegistrationMode, by: By): Promise<Outcome> {
  if ((await registrationMode(tx.db)) === mode) return { refused: 'already' };
  await setRegistrationMode(tx, mode);
  return { actId: await recordAct(tx, by, { action: 'registration', target: mode }) };
}
