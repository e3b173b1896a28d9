import type { Mutations } from './mutation.ts';

/** Rules about discussions, notifications, reading, letters, deletions and moderation. */
export const features: Mutations = {
  58: {
    'the walk passes replies and forgets the gaps between them': {
      change: [
        'server/features/posts/thread-queries.ts',
        "${nextIn('posts')} union all ${nextIn('thread_gaps')}",
        "${nextIn('posts')}",
      ],
      test: ['server/features/posts/thread-walk.test.ts', 'whatever is written, deleted, removed and restored'],
    },
  },
  59: {
    'the root does not count nested replies': {
      change: ['server/features/posts/thread-counts.ts', 'rootId, { ...none, thread: 1 }', 'rootId, none'],
      test: ['server/features/posts/thread-writes.test.ts', 'counts exactly under concurrent replies'],
    },
  },
  60: {
    'the author of the root post is not notified of nested replies': {
      change: ['server/features/notifications/recipients.ts', "kinds.set(rootOwnerId, 'followed')", 'void kinds'],
      test: [
        'server/features/notifications/notifications.test.ts',
        'are the replies of others to own posts and replies',
      ],
    },
  },
  64: {
    'the last device that reports a position moves it, also back': {
      change: [
        'server/features/reading/store.ts',
        ".whereRef('reading_positions.post_id', '<', 'excluded.post_id')",
        '',
      ],
      test: ['server/features/reading/reading.test.ts', 'are where a person has read furthest on any device'],
    },
  },
  65: {
    'a page above a cursor begins with its oldest post': {
      change: ['server/features/posts/list-pages.ts', 'rows.slice(0, limit).toReversed()', 'rows.slice(0, limit)'],
      test: ['server/features/posts/upward.test.ts', 'from any place of every list'],
    },
  },
  68: {
    'somebody else can restore a deleted post': {
      change: ['server/features/posts/own-deletion.ts', 'post.user_id === userId && ', ''],
      test: ['server/features/posts/undo.test.ts', 'only its author can take it back'],
    },
    'a deletion can be taken back at any time': {
      change: ['server/features/posts/own-deletion.ts', 'isInTime(deletedAt, now)', 'isInTime(now, now)'],
      test: ['server/features/posts/undo.test.ts', 'only its author can take it back'],
    },
  },
  69: {
    'the text of a deleted post stays': {
      change: [
        'server/features/posts/own-deletion.ts',
        "or('removed_at', '<', now - undoSeconds),",
        "or('removed_at', '<', 0),",
      ],
      test: ['server/features/posts/undo.test.ts', 'afterwards no table holds the text'],
    },
    'a backup holds a deleted text': {
      change: [
        'server/ops/jobs/purge-deleted-posts.ts',
        'purgeDeleted(opened, now, batch)',
        'purgeDeleted(opened, now - 60, batch)',
      ],
      test: ['server/commands/backup/deleted-texts.test.ts', 'a backup holds no text'],
    },
  },
  82: {
    'people who have muted the author are notified': {
      change: [
        'server/features/notifications/notify.ts',
        "hasNotMuted(sql.ref('u.id'), slot('authorId'))",
        "hasNotMuted(sql.ref('u.id'), sql.ref('u.id'))",
      ],
      test: ['server/features/notifications/kinds.test.ts', 'notifies nobody who has muted'],
    },
  },
  83: {
    'a person who follows cannot decline': {
      change: ['server/features/notifications/follows.ts', 'doUpdateSet({ following: value })', 'doNothing()'],
      test: ['server/features/notifications/kinds.test.ts', 'is the default of its author'],
    },
  },
  84: {
    'the job notifies the first batch only': {
      change: [
        'server/features/notifications/recipients.ts',
        'ids.length < batch ? undefined',
        'ids.length > 0 ? undefined',
      ],
      test: ['server/features/notifications/followers.test.ts', 'has few of them notified in the transaction'],
    },
  },
  85: {
    'people who are notified are not reported to the event streams': {
      change: ['server/features/notifications/people.ts', 'tx.touch(...ids.map((id) => `unread:${id}` as const));', ''],
      test: ['server/features/notifications/followers.test.ts', 'reaches the open streams of those who were notified'],
    },
  },
  89: {
    'the subject does not show the code': {
      change: ['server/mail/code-mail.ts', 'subject: `${code} — ${subject}`', 'subject'],
      test: ['server/mail/mail.test.ts', 'for every purpose'],
    },
    'mails are not signed': {
      change: ['server/mail/transport.ts', '...signature(config),', ''],
      test: ['server/mail/dkim.test.ts', 'are signed in the name'],
    },
  },
  90: {
    'a letter is sent to people who were here': {
      change: ['server/ops/jobs/send-digests.ts', 'if (await wasHere(tx, id, now)) return;', ''],
      test: ['server/features/notifications/digest.test.ts', 'come once a day'],
    },
  },
  91: {
    'anybody can end the letters of anybody': {
      change: [
        'server/features/notifications/unsubscribing.ts',
        '!secrets.isSignature(signature, ',
        'now < 0 && !secrets.isSignature(signature, ',
      ],
      test: ['server/features/notifications/unsubscribing.test.ts', 'by the form of the page'],
    },
  },
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
      test: ['server/features/sessions/closed-wall.test.ts', 'ends the event streams'],
    },
    'whoever was known to be a member reads on': {
      change: ['server/features/sessions/known-members.ts', " && !changed.includes('members')", ''],
      test: ['server/features/sessions/closed-wall.test.ts', 'to those whose session ends'],
    },
  },
  143: {
    'an invitation that was ended still admits': {
      change: ['server/features/moderation/invites.ts', "seats: eb.ref('used')", "seats: eb.ref('seats')"],
      test: ['server/features/moderation/invites.test.ts', 'nobody comes by it afterwards'],
    },
  },
  134: {
    'the right column misses a discussion that is lifted': {
      change: ['server/features/posts/aside-http.ts', "['feed', 'discussed', ", "['feed', "],
      test: ['server/features/posts/aside.test.ts', 'each change of what is in the right column'],
    },
  },
  135: {
    'one person lifts a discussion with every reply': {
      change: ['server/features/posts/discussions.ts', 'paused: now - liftPauseSeconds', 'paused: now'],
      test: ['server/features/posts/discussed.test.ts', 'a reply lifts a discussion of two people'],
    },
  },
  136: {
    'a display name may read like an operator': {
      change: [
        'server/features/account/routes.ts',
        'profile.display_name && readsLikeKeeper(profile.display_name)',
        'profile.display_name && readsLikeKeeper(profile.display_name) && false',
      ],
      test: ['server/features/account/profile.test.ts', 'a bad name is refused with the reason'],
    },
  },
  137: {
    'blocked people are suggested': {
      change: [
        'server/features/account/suggestions.ts',
        ".where(isNotBlocked('u'))\n      .where(hasNotMuted(slot('userId'), sql.ref('u.id')))\n      .orderBy('u.key')",
        ".where(hasNotMuted(slot('userId'), sql.ref('u.id')))\n      .orderBy('u.key')",
      ],
      test: ['server/features/account/suggestions.test.ts', 'never include oneself'],
    },
  },
  138: {
    'a bookmark is anybody’s': {
      change: ['server/features/posts/bookmarks.ts', ".where('b.user_id', '=', slot('userId'))", ''],
      test: ['server/features/posts/bookmarks.test.ts', 'posts are saved for oneself'],
    },
  },
  139: {
    'an interrupted import begins anew': {
      change: ['server/commands/import/write-wall.ts', 'if (begun) return begun;', ''],
      test: ['server/commands/import/import.test.ts', 'a run that is killed goes on with the next one'],
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
  151: {
    'a first post waits after a reply': {
      change: [
        'server/features/posts/first-posts.ts',
        "of('d.other_reply_id', 'is not', null)",
        "of('d.root_post_id', '<', 0)",
      ],
      test: ['server/features/posts/first-posts.test.ts', 'wait until somebody else replies, for the signed-in'],
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
      test: ['server/features/moderation/member-invites.test.ts', 'whose branch may not invite makes none'],
    },
  },
  154: {
    'a removal stays on the bell when it was seen': {
      change: [
        'server/features/notifications/removals.ts',
        ".where('unseen', '=', 1)\n    .where('removed_at'",
        ".where('unseen', '=', 2)\n    .where('removed_at'",
      ],
      test: ['server/features/notifications/removals.test.ts', 'is a notification of the author, with the reason'],
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
