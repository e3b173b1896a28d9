import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { addresses } from '#contract/addresses.ts';
import type { Invitations } from '#contract/invitations.ts';
import * as schema from '#contract/invitations.schema.ts';
import * as calls from '#contract/invitations.ts';
import type { Schema } from '../../../db/schema.ts';
import { ApiError } from '../../../http/api-error.ts';
import { idOf } from '../../../http/requests.ts';
import { serve } from '../../../http/serve.ts';
import { writeOnce } from '../../posts/idempotency.ts';
import { callerOf, type SessionOptions } from '../../sessions/http.ts';
import { spendingIn } from '../../sessions/spending-http.ts';
import type { WallSettings } from '../../wall-texts/wall-settings.ts';
import { endMemberInvite, listMemberInvites, makeMemberInvite, rightToInvite } from '../member-invites.ts';

export interface InvitationOptions extends SessionOptions {
  wall: Pick<WallSettings, 'inviteTerms'>;
}

/** The links by which members invite others. */
export function invitationRoutes(app: FastifyInstance, { db, config, secrets, wall, now }: InvitationOptions): void {
  const spending = spendingIn({ db, config, now });

  async function show(from: Kysely<Schema>, userId: number): Promise<Invitations> {
    const [made, right] = await Promise.all([
      listMemberInvites(from, secrets, userId),
      rightToInvite(from, { userId, terms: wall.inviteTerms, now: now() }),
    ]);
    const invitations = made.map((one) => ({ ...one, url: config.publicUrl + addresses.join.href(one) }));
    return { invitations, ...right };
  }

  serve(app, calls.listInvitations, schema.listInvitations, ({ request }) => show(db.read, callerOf(request).userId));

  serve(app, calls.makeInvitation, schema.makeInvitation, ({ request, headers }) =>
    spending(request, 'settings', async (tx, caller) => {
      const key = headers['idempotency-key'];
      const make = async (): Promise<number> => {
        const made = await makeMemberInvite(tx, secrets, { ...caller, terms: wall.inviteTerms });
        if ('id' in made) return made.id;
        throw new ApiError('FORBIDDEN', { message: made.refused });
      };
      if (key === undefined) await make();
      else await writeOnce(tx, { key: `${caller.userId} invitation ${key}`, now: caller.now }, make);
      return show(tx.db, caller.userId);
    }),
  );

  serve(app, calls.endInvitation, schema.endInvitation, ({ request, params }) =>
    spending(request, 'settings', async (tx, { userId }) => {
      if (!(await endMemberInvite(tx, { userId, id: idOf(params) }))) throw new ApiError('NOT_FOUND');
      return show(tx.db, userId);
    }),
  );
}
