import { forgetAll } from '../lib/kept.ts';

export const draftsBeginning = 'draft:';

/** On a device that others use nothing unpublished stays behind. */
export const forgetDrafts = (): void => forgetAll('localStorage', draftsBeginning);
