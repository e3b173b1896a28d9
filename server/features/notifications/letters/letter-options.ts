import type { Database, Tx } from '../../../db/database.ts';
import type { Letter } from '../../../mail/letter.ts';
import type { Secrets } from '../../../secrets.ts';
import type { WallSettings } from '../../wall-texts/wall-settings.ts';

export interface LetterOptions {
  db: Database;
  secrets: Secrets;
  /** Read anew for each letter, because owners can change it. */
  wall: Pick<WallSettings, 'appName' | 'line' | 'mark' | 'publicUrl' | 'readers' | 'lettersHaveTexts' | 'mailsFile'>;
  now: () => number;
}

export interface Addressed {
  recipient: string;
  letter: Letter;
  /** Called in the transaction that records that the letter needs no other try. */
  settled?: (tx: Tx) => Promise<void>;
}

export const hasTexts = ({ readers, lettersHaveTexts }: LetterOptions['wall']): boolean =>
  readers === 'everyone' || lettersHaveTexts;
