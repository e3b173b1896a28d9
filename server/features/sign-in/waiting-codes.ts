import type { Kysely } from 'kysely';
import type { WaitingCodes } from '#contract/wall-admin.ts';
import type { Database } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import type { CodeMail } from '../../mail/notices.ts';
import type { Secrets } from '../../secrets.ts';
import { type By, recordAct } from '../moderation/journal.ts';
import { triesPerOperation } from './sign-in-rules.ts';

// A wall without a mail server writes its mails to a folder. Owners may read the codes of new people, so that nobody has to look
// into that folder. A code for an address that has an account is shown at the terminal alone.

/** Mails that are settled and still have their content: their codes are for owners. */
const forOwners = (db: Kysely<Schema>) =>
  db.selectFrom('outbox').where('outbox.next_try_at', 'is', null).where('outbox.sealed', '<>', '');

export async function isCodeForOwners(db: Kysely<Schema>, operationId: string): Promise<boolean> {
  return (await forOwners(db).select('id').where('operation_id', '=', operationId).executeTakeFirst()) !== undefined;
}

const shownAtMost = 20;

const waiting = (db: Kysely<Schema>, now: number) =>
  forOwners(db)
    .innerJoin('operations', 'operations.id', 'outbox.operation_id')
    .select(['outbox.id', 'outbox.recipient', 'outbox.sealed', 'operations.expires_at'])
    .where('operations.expires_at', '>', now)
    .where('operations.attempts', '<', triesPerOperation)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('users').select('users.id').whereRef('users.email', '=', 'operations.email'))),
    )
    .orderBy('outbox.id', 'desc')
    .limit(shownAtMost)
    .execute();

/** `h…@example.org`: the journal is read by moderators too, and stays for ever. */
const shortened = (address: string): string => address.replace(/^(.).*(?=@)/u, '$1…');

interface Asked {
  secrets: Pick<Secrets, 'unseal'>;
  now: number;
  userId: number;
  /** Called in a transaction when the owner has not seen one of the codes before. */
  by: (tx: Parameters<Parameters<Database['tx']>[0]>[0]) => Promise<By>;
}

/** The codes for which new people wait. The journal says which owner has seen the code of whom. */
export async function showWaitingCodes(db: Database, { secrets, now, userId, by }: Asked): Promise<WaitingCodes> {
  const rows = await waiting(db.read, now);
  if (rows.length === 0) return { codes: [] };
  const seen = await db.read
    .selectFrom('operator_log')
    .select('target_id')
    .where('action', '=', 'see-code')
    .where('moderator_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(shownAtMost * 10)
    .execute();
  const fresh = rows.filter(({ id }) => !seen.some((entry) => entry.target_id === id));
  if (fresh.length > 0) {
    await db.tx(async (tx) => {
      const owner = await by(tx);
      for (const { id, recipient } of fresh)
        await recordAct(tx, owner, { action: 'see-code', target: shortened(recipient), targetId: id });
    });
  }
  const codes = rows.map(({ recipient, sealed, expires_at: expiresAt }) => {
    const { code } = JSON.parse(secrets.unseal(sealed)) as CodeMail;
    return { address: recipient, code, expires_at: expiresAt };
  });
  return { codes };
}
