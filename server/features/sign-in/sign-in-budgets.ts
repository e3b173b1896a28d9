import type { Budget, Limit } from '../../limits/budgets.ts';
import type { Purpose } from './sign-in-rules.ts';

const hour = 3_600;
const day = 24 * hour;
const never: readonly Limit[] = [];

/** Factors of a budget for the IPv6 networks of 64, 56 and 48 bits. A household may have any of the three, an office has the last. */
const widening = [1, 1, 1.1];

export interface BudgetSettings {
  rateLimits: boolean;
  /** See `Config`. */
  addressFactor: number;
  codeResendSeconds: number;
}

/** An e-mail address, and the hash of the device if it has signed in to the account of this address before. */
export interface Requester {
  email: string;
  knownDevice: string | undefined;
}

/**
 * Budgets of signing in. A device known to the account has budgets of its own, so that nobody can lock the owner out by
 * exhausting the budgets of the address.
 */
export function signInBudgets({ rateLimits, addressFactor, codeResendSeconds }: BudgetSettings) {
  const limited = (...limits: Limit[]): readonly Limit[] => (rateLimits ? limits : never);
  const nameOf = ({ email, knownDevice }: Requester): string => (knownDevice ? `${email} ${knownDevice}` : email);
  const ofEach = (what: string, networks: readonly string[], count: number): Budget[] =>
    networks.map((network, i) => ({
      key: `${what} ${network}`,
      limits: limited({ count: Math.round(count * widening[i]! * addressFactor), seconds: hour }),
    }));
  const pause: readonly Limit[] = codeResendSeconds > 0 ? [{ count: 1, seconds: codeResendSeconds }] : [];

  return {
    starts: (networks: readonly string[]): Budget[] => ofEach('starts', networks, 60),
    /** Responses that reveal whether an address has an account. */
    revelations: (network: string): Budget => ({
      key: `revelations ${network}`,
      limits: limited({ count: 60 * addressFactor, seconds: hour }),
    }),
    /** The same responses to one signed-in person. */
    revelationsTo: (userId: number): Budget => ({
      key: `revelations to ${userId}`,
      limits: limited({ count: 20, seconds: day }),
    }),
    mails: (purpose: Purpose, requester: Requester): Budget => ({
      key: `mails ${purpose} ${nameOf(requester)}`,
      limits: [...pause, ...limited({ count: 10, seconds: hour }, { count: 20, seconds: day })],
    }),
    /** Mails with codes to one mailbox. The part of an address after a plus does not make another mailbox. */
    mailbox: (email: string): Budget => ({
      key: `mailbox ${email.replace(/(?<=.)\+.*(?=@)/, '')}`,
      limits: limited({ count: 20, seconds: hour }),
    }),
    wrongCodes: (requester: Requester): Budget => ({
      key: `wrong codes ${nameOf(requester)}`,
      limits: limited({ count: 10, seconds: hour }, { count: 20, seconds: day }),
    }),
    /** Wrong codes from a network, for all addresses together. */
    guesses: (networks: readonly string[]): Budget[] => ofEach('guesses', networks, 30),
    /** Wrong codes for an address before its owner is warned. When this budget is exhausted, nothing is refused. */
    unalarming: (email: string): Budget => ({ key: `unalarming ${email}`, limits: [{ count: 9, seconds: day }] }),
    alarms: (email: string): Budget => ({ key: `alarms ${email}`, limits: [{ count: 1, seconds: day }] }),
  };
}
