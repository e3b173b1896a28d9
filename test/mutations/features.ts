import type { Mutations } from './mutation.ts';

/** Rules about discussions, notifications, reading, letters, deletions, profiles and imports. */
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
      test: ['server/features/posts/deleted-texts.test.ts', 'afterwards no table holds the text'],
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
  134: {
    'the right column misses a discussion that is lifted': {
      change: ['server/features/posts/aside-http.ts', "['feed', 'discussed', ", "['feed', "],
      test: ['server/features/posts/aside.test.ts', 'each change of what is in the right column'],
    },
  },
  135: {
    'one person lifts a discussion with every reply': {
      change: ['server/features/posts/discussions.ts', 'paused: now - liftPauseSeconds', 'paused: now'],
      test: ['server/features/posts/lifts.test.ts', 'a reply lifts a discussion of two people'],
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
};
