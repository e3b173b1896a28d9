import type { FastifyRequest } from 'fastify';
import type { Calls } from '#contract/calls.ts';
import type { Tx } from '../../db/database.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import type { Refusal } from '../../limits/refusal.ts';
import { type SessionOptions, type SessionCaller, sessionCallerOf } from '../sessions/session-http.ts';
import { findDevice } from '../sessions/session-store.ts';
import { makeCodeFlow } from '../sign-in/sign-in-http.ts';
import type { RightCode } from '../sign-in/judge-code.ts';
import { findCurrentUser } from './account-store.ts';
import { originalEmail, refusalWhileUndoable } from './email-changes.ts';

type Confirmation = { id: string } & Calls['PUT /users/current/email/{id}/verify']['body'];
type OwnPurpose = 'email-change' | 'deletion' | 'moderation' | 'program-token';

/** The code flow in which a signed-in person confirms something with a code sent to the person's current or new address. */
export function makeOwnCodeFlow(options: SessionOptions) {
  const flow = makeCodeFlow(options);

  return {
    /** Mails a code to the address that `addressFor` resolves to, unless it refuses. */
    async start(
      request: FastifyRequest,
      { purpose, clientToken }: { purpose: OwnPurpose; clientToken: string },
      addressFor: (tx: Tx, caller: SessionCaller, at: number) => Promise<{ email: string } | Refusal>,
    ): Promise<{ id: string; email: string }> {
      const caller = sessionCallerOf(request);
      const { userId, sessionId } = caller;
      let email = '';
      const { id } = await flow.start(request, async (tx, at) => {
        const address = await addressFor(tx, caller, at);
        if ('refused' in address) return address;
        const device = await findDevice(tx.db, sessionId);
        // The session was closed a moment ago.
        if (device === undefined) throw new ApiError('UNAUTHORIZED');
        // A new address has no owner yet, so no known device is looked up for it.
        const owner = purpose === 'email-change' ? undefined : userId;
        email = address.email;
        return { purpose, email, userId, owner, clientToken, device: JSON.parse(device) };
      });
      return { id, email };
    },

    verify<Done extends object>(
      request: FastifyRequest,
      attempt: Confirmation & { purpose: OwnPurpose },
      act: (tx: Tx, caller: SessionCaller, code: RightCode, at: number) => Promise<Done | Refusal>,
      taken?: 'EMAIL_ALREADY_EXISTS',
    ): Promise<Done> {
      const caller = sessionCallerOf(request);
      const { userId } = caller;
      return flow.verify(request, { ...attempt, userId }, (tx, code, at) => act(tx, caller, code, at), taken);
    },
  };
}

/**
 * The address that gets the codes by which a person confirms an act. While a change of address can be undone, it is the previous
 * address: with a stolen session somebody could otherwise change the address and confirm everything with their own mail.
 */
export async function ownAddress(tx: Tx, { userId }: SessionCaller, at: number): Promise<{ email: string }> {
  const user = await findCurrentUser(tx.db, userId);
  if (!user) throw new ApiError('UNAUTHORIZED');
  return { email: (await originalEmail(tx.db, userId, at)) ?? user.email };
}

/** Refuses what a thief could do to the wall with a stolen session. The owner of the previous address can still undo the change. */
export async function refuseWhileUndoable({ db }: Tx, userId: number, now: number, act: string): Promise<void> {
  const refusal = await refusalWhileUndoable(db, { userId, now, act });
  if (refusal) throw new ApiError(refusal.refused, refusal);
}
