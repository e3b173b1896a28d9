import { isGeneratedUsername } from '#contract/username.ts';
import type { Tx } from '../db/database.ts';
import { type Budget, type Exhausted, openBudgets } from '../limits/budgets.ts';
import { hasLeftNames, recordLeftName } from './left-names.ts';
import { findCurrentUser, renameUser } from './store.ts';

interface NewName {
  userId: number;
  username: string;
  /** How often the person may change their name. */
  budget: Budget;
  now: number;
}

/**
 * Gives a person another name, or resolves to what stands in its way. Throws AlreadyTaken when somebody else has it or
 * left it lately.
 */
export async function changeName(tx: Tx, { userId, username, budget, now }: NewName): Promise<Exhausted | undefined> {
  // Opened first: of two changes at once the second one reads the name that the first one has given.
  const changes = await openBudgets(tx, [budget], now);
  const user = await findCurrentUser(tx.db, userId);
  if (!user || user.username === username) return undefined;
  const before = user.username;
  // The first choice replaces a name that the person did not choose.
  const isFirstChoice = isGeneratedUsername(before) && !(await hasLeftNames(tx.db, userId));
  if (!isFirstChoice) {
    if (changes.exhausted) return changes.exhausted;
    await changes.spend();
  }
  await renameUser(tx, userId, username);
  await recordLeftName(tx, { userId, before, after: username, now });
  return undefined;
}
