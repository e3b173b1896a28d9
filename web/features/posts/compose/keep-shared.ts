import { writeStored } from '../../../lib/storage.ts';
import { draftsBeginning } from './forget-drafts.ts';

export const sharedKey = `${draftsBeginning}shared`;

/** Stores the query of an address that another app has opened, until the composer opens: a visitor signs in before. */
export const keepShared = (query: string): void => writeStored('localStorage', sharedKey, query);
