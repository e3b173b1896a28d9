import type { BrokenRule } from './broken-rule.ts';

const sessionsTest = 'server/sessions/sessions.test.ts';
const deletionTest = 'server/account/deletion.test.ts';
const hiddenAtOnce = 'shows no text of it to readers who come back';

/** How accounts and their sessions end, and who may change their addresses: rules 38–41. */
export const accounts: readonly BrokenRule[] = [
  {
    rule: 39,
    how: 'a session in use lives for ever',
    file: 'server/sessions/store.ts',
    from: "\n    .where('s.created_at', '>', now - lifetimeSeconds)",
    to: '',
    test: sessionsTest,
    name: 'a session ends a year after it was opened',
  },
  {
    rule: 39,
    how: 'the last access token outlives its session',
    file: 'server/sessions/routes.ts',
    from: 'Math.min(now() + config.accessTokenSeconds, session.created_at + lifetimeSeconds)',
    to: 'now() + config.accessTokenSeconds + 0 * lifetimeSeconds',
    test: sessionsTest,
    name: 'a session ends a year after it was opened',
  },
  {
    rule: 39,
    how: 'the event stream tells a blocked person how many replies are unread',
    file: 'server/events/routes.ts',
    from: 'session && session.blocked_at === null ?',
    to: 'session ?',
    test: 'server/order/blocks.test.ts',
    name: 'hears of nothing personal',
  },
  {
    rule: 40,
    how: 'the change log still tells the texts of a deleted account',
    file: 'server/events/store.ts',
    from: "join.onRef('u.id', '=', 'p.user_id').on('u.deleted_at', 'is', null)",
    to: "join.onRef('u.id', '=', 'p.user_id')",
    test: deletionTest,
    name: hiddenAtOnce,
  },
  {
    rule: 40,
    how: 'posts of a deleted account can be liked, answered and reported until they are cleared',
    file: 'server/posts/writes.ts',
    from: "\n      .where('users.deleted_at', 'is', null)",
    to: '',
    test: deletionTest,
    name: hiddenAtOnce,
  },
  {
    rule: 40,
    how: 'a sign-in that waited for the deletion opens a session',
    file: 'server/account/store.ts',
    from: "\n    .where('email', '=', email)\n    .returning('id')",
    to: "\n    .returning('id')",
    test: deletionTest,
    name: 'gives a sign-in that races it no session',
  },
];
