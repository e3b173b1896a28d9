import type { Mutations } from './mutation.ts';

/** Rules about moderation, invitations, those who keep the wall and a closed wall. */
export const moderation: Mutations = {
  92: {
    'anybody with an account finds the desk': {
      change: ['server/features/sessions/http.ts', '!hasRole || ', ''],
      test: [
        'server/features/moderation/desk/access.test.ts',
        'to everybody but moderators every call of the desk looks missing, and those of owners to moderators',
      ],
    },
  },
  93: {
    'an act that was done already is recorded again': {
      change: ['server/features/moderation/post-acts.ts', "if (settled === 0) return { refused: 'already' };", ''],
      test: ['server/features/moderation/desk/queue.test.ts', 'an act is in the journal once, with who did it'],
    },
    'moderators settle reports of their own posts': {
      change: ['server/features/moderation/post-acts.ts', 'ownerId === by.moderatorId', 'ownerId === null'],
      test: ['server/features/moderation/desk/queue.test.ts', 'a moderator decides nothing about own posts'],
    },
  },
  94: {
    'a block needs no code': {
      change: [
        'server/features/moderation/desk/http.ts',
        'proof && !(await actor.isConfirmed(tx, acting.request))',
        'proof && actor === null',
      ],
      test: [
        'server/features/moderation/desk/people.test.ts',
        'a block needs a code of the last 15 minutes in the same session',
      ],
    },
    'moderators block each other': {
      change: ['server/features/moderation/block-acts.ts', '?.role ?', '?.role === undefined ?'],
      test: [
        'server/features/moderation/desk/people.test.ts',
        'moderators can block neither themselves nor each other',
      ],
    },
  },
  95: {
    'the pinned post is on every page of the feed': {
      change: [
        'server/features/posts/routes.ts',
        "'page' in place && place.page === 1 ? withPinned",
        "'page' in place ? withPinned",
      ],
      test: ['server/features/moderation/desk/pin.test.ts', 'is on the first page of the feed only'],
    },
  },
  141: {
    'the last owner can be dismissed': {
      change: ['server/features/moderation/roles.ts', "role === 'owner' && !(await", "role === 'moderator' && !(await"],
      test: ['server/features/moderation/desk/owner.test.ts', 'the last owner stays'],
    },
    'the link of a new wall has no end': {
      change: ['server/features/moderation/owner-link.ts', 'Number(expiresAt) > now', 'Number(expiresAt) > 0'],
      test: ['server/features/moderation/desk/owner.test.ts', 'the link ends after a day'],
    },
  },
  142: {
    'another process keeps the settings it has started with': {
      change: [
        'server/features/wall-texts/wall-settings.ts',
        "changed === 'everything' || changed.includes('wall')",
        "changed === 'everything'",
      ],
      test: ['server/features/keep/keep.test.ts', 'reach another process, and survive a restart'],
    },
  },
  160: {
    'a closed wall lets everybody in': {
      change: ['server/features/sessions/closed-wall-http.ts', '|| (await isMember(request))', '|| true'],
      test: ['server/features/sessions/closed-wall.test.ts', 'shows nothing at any address'],
    },
    'event streams that were open go on': {
      change: ['server/app.ts', '(isClosed() ? outsidersAmong(read, all) : [])', '[]'],
      test: ['server/features/sessions/closed-wall-readers.test.ts', 'ends the event streams'],
    },
    'whoever was known to be a member reads on': {
      change: ['server/features/sessions/known-members.ts', " && !changed.includes('members')", ''],
      test: ['server/features/sessions/closed-wall-readers.test.ts', 'to those whose session ends'],
    },
  },
  143: {
    'an invitation that was ended still admits': {
      change: ['server/features/moderation/invites.ts', "seats: eb.ref('used')", "seats: eb.ref('seats')"],
      test: ['server/features/moderation/invites.test.ts', 'nobody comes by it afterwards'],
    },
  },
  140: {
    'a link gives an account again': {
      change: ['server/features/moderation/claims.ts', ".where('email', '=', importedEmail(id))", ''],
      test: ['server/features/account/claims.test.ts', 'whoever registers by the link gets the account'],
    },
  },
  150: {
    'a closed discussion takes replies': {
      change: ['server/features/posts/pace.ts', "if (pace === closed) return { refused: 'closed' };", ''],
      test: [
        'server/features/moderation/discussions.test.ts',
        'a closed discussion takes likes and no replies, at any depth, until it is opened',
      ],
    },
  },
  152: {
    'a waiting post is published beside another decision': {
      change: [
        'server/features/posts/pending-posts.ts',
        "db.deleteFrom('pending_posts').where('id', '=', id).returningAll()",
        "db.selectFrom('pending_posts').where('id', '=', id).selectAll()",
      ],
      test: ['server/features/posts/pending-posts.test.ts', 'one tap publishes it as any other'],
    },
    'newcomers publish at once': {
      change: ['server/features/posts/gate.ts', "author!.shown < posts ? 'waits'", "author!.shown < 0 ? 'waits'"],
      test: ['server/features/posts/pending-posts.test.ts', 'nobody but the author and moderators sees'],
    },
  },
  153: {
    'links are counted without a lock': {
      change: ['server/features/moderation/member-invites.ts', 'await lockPerson(tx, userId);', ''],
      test: ['server/features/moderation/member-invites.test.ts', 'are three a month, exactly'],
    },
    'a link works in a branch that may not invite': {
      change: [
        'server/features/moderation/invites.ts',
        "(mode !== 'invite' && (await mayInvite(db, maker)))",
        "mode !== 'invite'",
      ],
      test: ['server/features/moderation/invited-branches.test.ts', 'whose branch may not invite makes none'],
    },
  },
  155: {
    'a block for a term waits for its job': {
      change: ['server/features/sessions/rules.ts', 'at !== null && (until === null || until > now)', 'at !== null'],
      test: [
        'server/features/moderation/desk/block-terms.test.ts',
        'refuses sessions, tokens and sign-ins until its second',
      ],
    },
  },
  157: {
    'reports are told again': {
      change: ['server/ops/jobs/tell-of-reports.ts', '.set({ told_at: now })', '.set({ told_at: null })'],
      test: ['server/features/reports/report-letters.test.ts', 'are told once, in one letter'],
    },
  },
  156: {
    'a warning that was read can be undone': {
      change: ['server/features/moderation/person-acts.ts', ".where('warning', 'is not', null)", ''],
      test: ['server/features/moderation/warnings.test.ts', 'is read once by its person, which the journal says'],
    },
  },
};
