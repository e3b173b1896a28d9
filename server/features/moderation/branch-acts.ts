import type { Database, Tx } from '../../db/database.ts';
import type { Refusal } from '../../limits/refusal.ts';
import { findBranch } from './branch.ts';
import type { By } from './journal.ts';
import { actBlock, type Person } from './block-acts.ts';
import { moderatorName } from './roles.ts';

/** People blocked by one act on a branch, so that the request ends in time. */
const blockedAtOnce = 100;
/** Counted no further. */
const countedAtMost = 1_000;

interface BlockedBranch {
  blocked: number;
  /** The people of the branch who are still to be blocked. */
  remaining: number;
}

/** Blocks a person and the person's branch without those who keep the wall: each with an entry of its own, which can be undone. */
export async function actBlockBranch(
  db: Database,
  open: (tx: Tx) => Promise<{ person: Person; by: By; role: string | null; isBlocked: boolean }>,
  { removePosts }: { removePosts: boolean },
): Promise<BlockedBranch | Refusal<'oneself' | 'moderator'>> {
  const { by, people, refusal } = await db.tx(async (tx) => {
    const { person, role, isBlocked, by: acting } = await open(tx);
    const refused = refusalFor(person, role, acting);
    const limit = blockedAtOnce + countedAtMost;
    const below = refused ? [] : await findBranch(tx.db, person.id, { limit, only: 'open' });
    return { by: acting, people: isBlocked ? below : [person, ...below], refusal: refused };
  });
  if (refusal) return refusal;
  let blocked = 0;
  for (const { id, username } of people.slice(0, blockedAtOnce)) {
    // The moderator may be dismissed meanwhile.
    const openOne = async (tx: Tx): Promise<{ person: Person; by: By } | Refusal<'missing'>> =>
      (await moderatorName(tx.db, by.moderatorId!)) === undefined
        ? { refused: 'missing' }
        : { person: { id, username }, by };
    const { outcome } = await actBlock(db, openOne, { removePosts });
    if (!('refused' in outcome)) blocked += 1;
  }
  return { blocked, remaining: Math.min(countedAtMost, Math.max(0, people.length - blockedAtOnce)) };
}

function refusalFor(
  { id }: Person,
  role: string | null,
  { moderatorId }: By,
): Refusal<'oneself' | 'moderator'> | undefined {
  if (moderatorId === id) return { refused: 'oneself' };
  return role === null ? undefined : { refused: 'moderator' };
}
