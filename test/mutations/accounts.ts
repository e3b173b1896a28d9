import { byRule } from './mutation.ts';

const sessionsTest = 'server/features/sessions/sessions.test.ts';
const deletionTest = 'server/features/account/deletion.test.ts';
const undoTest = 'server/features/account/email-undo.test.ts';
const newDeviceTest = 'server/features/account/new-device.test.ts';
const operatorsTest = 'server/features/account/operators-email-change.test.ts';
const emailChanges = 'server/features/account/email-changes.ts';
const emailRoutes = 'server/features/account/email-routes.ts';
const accountRoutes = 'server/features/account/routes.ts';
const signInRoutes = 'server/features/sign-in/routes.ts';

/** Changes of address, and the end of sessions and accounts: rules 38–41. */
export const accounts = byRule({
  38: {
    'the token of an undo link is stored in clear': {
      change: [emailChanges, "hash('sha256', token, 'base64url')", '(void hash, token)'],
      test: [undoTest, 'restores the address'],
    },
    'an undo link works more than once': {
      change: [emailChanges, "  if (change.used_at !== null) return 'used';\n", ''],
      test: [undoTest, 'restores the address'],
    },
    'an undo link never expires': {
      change: [emailChanges, "  if (change.expires_at <= now) return 'expired';\n", ''],
      test: [undoTest, 'is possible for 72 hours, only with the link'],
    },
    'an undo leaves the sessions open': {
      change: [emailChanges, 'await closeAllSessionsOf(tx, userId);', 'void closeAllSessionsOf;'],
      test: [undoTest, 'restores the address'],
    },
    'undoing a second change restores only the address of the first change': {
      change: [emailRoutes, '(await originalEmail(tx.db, userId, at)) ?? before', 'before'],
      test: [undoTest, 'restores the original address after several changes; the first link wins'],
    },
    'an account can be deleted while its change of address can still be undone': {
      change: [accountRoutes, 'return wait > 0 ? emailUndoable(wait)', 'return wait < 0 ? emailUndoable(wait)'],
      test: [undoTest, 'prevents deletion of the account while it is possible'],
    },
    'others can register the previous address at once': {
      change: [
        signInRoutes,
        'if (code.owner === undefined && (await isReservedEmail(tx.db, code.email, at)))',
        'if (code.owner === -1 && (await isReservedEmail(tx.db, code.email, at)))',
      ],
      test: [undoTest, 'reserves the address for 72 hours and tells only its owner why'],
    },
    'the address can be changed again right after an undo': {
      change: [emailChanges, 'return recent.length > 0 ?', 'return recent.length > 99 ?'],
      test: [undoTest, 'prevents changes of the address for 72 hours'],
    },
    'an operator’s change takes effect although it was rejected': {
      change: [
        emailChanges,
        "eb.and([eb('new_email', 'is not', null), eb('used_at', 'is', null)])",
        "eb.and([eb('new_email', 'is not', null)])",
      ],
      test: [operatorsTest, 'takes effect after 48 hours, unless it was refused or became void'],
    },
    'the refusal of an operator’s change ends the link of the first owner': {
      change: [emailChanges, "eb('created_at', '>=', madeAt)", "eb('created_at', '>', 0)"],
      test: [operatorsTest, 'leaves the link of the first owner, whoever refuses it'],
    },
  },
  41: {
    'a new device can change the address like a known one': {
      change: [
        signInRoutes,
        'const isNewDevice = owner !== undefined && !isKnown;',
        'const isNewDevice = owner !== undefined && false && isKnown;',
      ],
      test: [newDeviceTest, 'can change the address after a day, or with a code sent to the old one'],
    },
  },
  39: {
    'a session that is used never expires': {
      change: ['server/features/sessions/store.ts', "\n    .where('s.created_at', '>', now - lifetimeSeconds)", ''],
      test: [sessionsTest, 'a session ends a year after it was opened'],
    },
    'the last access token is valid longer than its session': {
      change: [
        'server/features/sessions/routes.ts',
        'Math.min(now() + config.accessTokenSeconds, session.created_at + lifetimeSeconds)',
        'now() + config.accessTokenSeconds + 0 * lifetimeSeconds',
      ],
      test: [sessionsTest, 'a session ends a year after it was opened'],
    },
    'the event stream of a blocked person contains the number of unread notifications': {
      change: ['server/features/live/routes.ts', 'session && session.blocked_at === null ?', 'session ?'],
      test: ['server/features/moderation/blocks.test.ts', 'gets nothing personal on an event stream'],
    },
  },
  40: {
    'the change log still contains the texts of a deleted account': {
      change: [
        'server/live/change-log.ts',
        "join.onRef('u.id', '=', 'p.user_id').on(isNotDeleted('u'))",
        "join.onRef('u.id', '=', 'p.user_id')",
      ],
      test: [deletionTest, 'keeps its texts from event streams'],
    },
    'posts of a deleted account can be liked, replied to and reported until they are removed': {
      change: ['server/db/visibility.ts', ".where(isNotDeleted('users'))", ''],
      test: [deletionTest, 'keeps its texts from event streams'],
    },
    'strangers get 403 for posts of a deleted account until they are removed': {
      change: [
        'server/features/posts/writing-routes.ts',
        'const post = await lockVisiblePost(tx, id);',
        'const post = (await lockVisiblePost(tx, id)) ?? ({ user_id: 0 } as LockedPost);',
      ],
      test: [deletionTest, 'keeps its texts from event streams'],
    },
    'a sign-in that waited for the deletion opens a session': {
      change: [
        signInRoutes,
        'if ((await lockAccount(tx, userId)) !== email) return',
        'if ((await lockAccount(tx, userId)) === "nobody") return',
      ],
      test: [deletionTest, 'gives no session to a concurrent sign-in'],
    },
  },
});
