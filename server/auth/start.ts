import type { FastifyRequest } from 'fastify';
import type { CallOf } from '#contract/endpoint.ts';
import { normalizeEmail } from '#contract/email.ts';
import type * as schema from '#contract/auth.schema.ts';
import { findUserIdByEmail } from '../account/store.ts';
import type { Tx } from '../db/database.ts';
import { ApiError } from '../http/api-error.ts';
import { clientNetworks } from '../http/client-network.ts';
import { type Exhausted, spend } from '../limits/budgets.ts';
import { tooMany } from '../limits/spend-or-refuse.ts';
import { inviteHash } from '../order/invite-code.ts';
import { mayRegister } from '../order/invites.ts';
import { cookieHash } from '../sessions/rules.ts';
import type { AuthOptions } from './auth-options.ts';
import { authBudgets } from './auth-budgets.ts';
import { registrationClosed } from './refusals.ts';
import type { SignInPurpose } from './rules.ts';
import { makeSendCode } from './send-code.ts';
import { isKnownDevice } from './store.ts';

type Body = CallOf<typeof schema.startRegistration>['body'];

/** What was decided in the transaction. A refusal is no failure of it: what it cost stays spent. */
type Outcome = { id: string } | Exhausted | { unknown: true } | { closed: true };

/** Starts a sign-in or a registration: a code is on its way when this answers. */
export function makeStart(options: AuthOptions) {
  const { db, config, cookies, outbox, now } = options;
  const budgets = authBudgets(config);
  const sendCode = makeSendCode(options);

  return async (purpose: SignInPurpose, body: Body, request: FastifyRequest): Promise<{ id: string }> => {
    const email = normalizeEmail(body.email);
    if (email === undefined) throw new ApiError('INVALID_REQUEST', { message: 'Введите корректный email' });
    const networks = clientNetworks(request.ip);
    const device = cookies.read(request, 'device');

    const outcome = await db.tx((tx) => decide(tx, { purpose, email, body, networks, device }));
    if ('wait' in outcome) throw tooMany(outcome);
    if ('unknown' in outcome) throw new ApiError('USER_NOT_FOUND');
    if ('closed' in outcome) throw registrationClosed(body.invite);
    outbox.wake();
    return outcome;
  };

  async function decide(
    tx: Tx,
    start: { purpose: SignInPurpose; email: string; body: Body; networks: string[]; device: string | undefined },
  ): Promise<Outcome> {
    const { purpose, email, body, networks } = start;
    const at = now();
    const exhausted = await spend(tx, budgets.starts(networks), at);
    if (exhausted) return exhausted;
    const invite = body.invite === undefined ? null : inviteHash(body.invite);
    // Before the address is looked up: who has no invitation learns nothing of it.
    if (purpose === 'registration' && !(await mayRegister(tx, invite))) return { closed: true };
    const owner = await findUserIdByEmail(tx.db, email);
    if (purpose === 'login' && owner === undefined) {
      return (await spend(tx, [budgets.revelations(networks[0]!)], at)) ?? { unknown: true };
    }

    const mark = start.device && cookieHash(start.device);
    const known = mark && owner !== undefined && (await isKnownDevice(tx.db, owner, mark)) ? mark : undefined;
    const { clientToken, device } = body;
    return sendCode(tx, { purpose, email, userId: null, clientToken, device, knownDevice: known, invite });
  }
}
