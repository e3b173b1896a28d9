import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Secrets } from '../secrets.ts';
import type { ApiError } from './thrown-api-error.ts';
import { clientNetwork } from './connections.ts';

const events = [
  'sign-in',
  'wrong-code',
  'limit',
  'sessions-closed',
  'email-changed',
  'username-changed',
  'account-deleted',
  'account-claimed',
  'moderator-confirmed',
  'became-owner',
  'token-made',
  'token-ended',
] as const;

type SecurityEvent = (typeof events)[number];

interface Details {
  /** An e-mail address; the log gets a hash of it. */
  email?: string;
  user?: number;
  limit?: string;
}

/**
 * Counts and logs events that matter for the security of accounts. Addresses are hashed with a key, so that lines about
 * the same address or network can be correlated although the log contains neither.
 */
export class SecurityLog {
  readonly counts = Object.fromEntries(events.map((event) => [event, 0])) as Record<SecurityEvent, number>;
  #secrets: Secrets;
  #log: FastifyBaseLogger;

  constructor(secrets: Secrets, log: FastifyBaseLogger) {
    this.#secrets = secrets;
    this.#log = log;
  }

  /** Must be called after the transaction of the event, which may run twice. */
  note(event: SecurityEvent, { ip }: Pick<FastifyRequest, 'ip'>, { email, ...details }: Details): void {
    this.counts[event] += 1;
    const network = this.#secrets.hashAddress(clientNetwork(ip));
    const address = email === undefined ? {} : { address: this.#secrets.hashAddress(email) };
    this.#log.info({ event, network, ...address, ...details }, 'security event');
  }

  noteRefusal({ limit, wrongCodeFor }: ApiError, request: Pick<FastifyRequest, 'ip'>): void {
    if (wrongCodeFor !== undefined) this.note('wrong-code', request, { email: wrongCodeFor });
    // Refused reads come in thousands: a line for each would fill the disk.
    if (limit !== undefined && limit !== 'reads') this.note('limit', request, { limit });
  }
}
