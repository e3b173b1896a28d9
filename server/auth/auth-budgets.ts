import type { Budget, Limit } from '../limits/budgets.ts';
import type { Purpose } from './rules.ts';

const hour = 3_600;
const day = 24 * hour;
const never: readonly Limit[] = [];

export interface BudgetSettings {
  rateLimits: boolean;
  codeResendSeconds: number;
}

/** Who asks: an address, and the device if it has signed in to that address's account before. */
export interface Asker {
  email: string;
  knownDevice: string | undefined;
}

/**
 * What signing in may cost. A device that is known to the account has budgets of its own: whoever stands at every limit
 * of an address cannot lock its owner out.
 */
export function authBudgets({ rateLimits, codeResendSeconds }: BudgetSettings) {
  const limited = (...limits: Limit[]): readonly Limit[] => (rateLimits ? limits : never);
  const who = ({ email, knownDevice }: Asker): string => (knownDevice ? `${email} ${knownDevice}` : email);
  const pause: readonly Limit[] = codeResendSeconds > 0 ? [{ count: 1, seconds: codeResendSeconds }] : [];

  return {
    starts: (network: string): Budget => ({
      key: `starts ${network}`,
      limits: limited({ count: 60, seconds: hour }),
    }),
    /** Answers that tell whether an address has an account. */
    revelations: (network: string): Budget => ({
      key: `revelations ${network}`,
      limits: limited({ count: 60, seconds: hour }),
    }),
    /** The same, to a signed-in person who looks for others by their addresses. */
    revelationsTo: (userId: number): Budget => ({
      key: `revelations to ${userId}`,
      limits: limited({ count: 5, seconds: day }),
    }),
    mails: (purpose: Purpose, asker: Asker): Budget => ({
      key: `mails ${purpose} ${who(asker)}`,
      limits: [...pause, ...limited({ count: 5, seconds: hour }, { count: 10, seconds: day })],
    }),
    wrongCodes: (asker: Asker): Budget => ({
      key: `wrong codes ${who(asker)}`,
      limits: limited({ count: 10, seconds: hour }, { count: 20, seconds: day }),
    }),
  };
}
