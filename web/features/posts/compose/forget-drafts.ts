import { removeAllStored } from '../../../lib/storage.ts';

export const draftsBeginning = 'draft:';

/** Called on sign-out: other people may use the device. */
export const forgetDrafts = (): void => removeAllStored('localStorage', draftsBeginning);
