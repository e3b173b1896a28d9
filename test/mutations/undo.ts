import { byRule } from './mutation.ts';

const ownDeletion = 'server/features/posts/own-deletion.ts';
const hidePost = 'server/features/posts/hide-post.ts';
const returned = 'web/features/posts/store/returned-posts.ts';
const undoTest = 'server/features/posts/undo.test.ts';
const returnedTest = 'web/features/posts/store/returned-posts.test.ts';
const undoSpec = 'test/e2e/undo.spec.ts';
const interleavings = 'server/features/posts/undo-interleavings.test.ts';

/** Deletions that their authors take back, and texts that changed after a reply: rules 67 to 69. */
export const undo = byRule({
  68: {
    'somebody else can restore a deleted post': {
      change: [ownDeletion, 'post.user_id === userId && ', ''],
      test: [undoTest, 'only its author can take it back'],
    },
    'a deletion can be taken back at any time': {
      change: [ownDeletion, 'isInTime(deletedAt, now)', 'isInTime(now, now)'],
      test: [undoTest, 'only its author can take it back'],
    },
    'the author can restore what an operator has removed': {
      change: [ownDeletion, 'post.by_author === 1 && ', ''],
      test: [undoTest, 'takes back no removal by an operator'],
    },
    'an operator can restore what its author has deleted': {
      change: ['server/features/moderation/removal.ts', 'post.by_author === 0', 'post.with_block === 0'],
      test: [undoTest, 'takes back no removal by an operator'],
    },
    'deleted posts are listed among the removed ones': {
      change: [
        'server/features/posts/removed-posts.ts',
        "    .where('user_id', '=', userId)\n    .where('by_author', '=', 0);",
        "    .where('user_id', '=', userId);",
      ],
      test: [undoTest, 'takes back no removal by an operator'],
    },
    'one’s own list does not offer to take a deletion back': {
      change: ['web/pages/own-lists.tsx', '{hasRemoved && <DeletedArea which={hasRemoved} />}', ''],
      test: [undoSpec, 'one’s own list offers it after the message is gone'],
    },
    'everybody can list what a person has deleted': {
      change: [
        ownDeletion,
        "    .where('user_id', '=', userId)\n    .where('by_author', '=', 1)\n    .where('removed_at', '>=', now - undoSeconds)",
        "    .where('by_author', '=', 1)\n    .where('removed_at', '>=', now - undoSeconds)",
      ],
      test: [undoTest, 'lists for the author alone what can still be restored'],
    },
    'a restored post loses the places of its notifications': {
      change: [
        'server/features/notifications/move-notifications.ts',
        "if (state === 'shown') await show(tx.db, range);",
        'void show;',
      ],
      test: [undoTest, 'a deleted reply is gone for everybody, and returns unchanged'],
    },
    'reports closed while the post was gone stay closed': {
      change: [ownDeletion, 'await reopenReports(tx.db, { id, since: deletedAt });', 'void reopenReports;'],
      test: [undoTest, 'reports that were closed while the post was gone'],
    },
    'a restored post is announced as a new one': {
      change: [hidePost, "kind: 'restored', postId", "kind: 'new', postId"],
      test: [undoTest, 'event streams report a restored post'],
    },
    'two calls at the same moment restore it twice': {
      change: [
        hidePost,
        "      .updateTable('removed_posts')\n      .set((eb) => ({ reason: eb.ref('reason') }))\n      .where('id', '=', hiddenId)\n      .returningAll()",
        "      .selectFrom('removed_posts')\n      .where('id', '=', hiddenId)\n      .selectAll()",
      ],
      test: [undoTest, 'two hundred parallel calls restore it once'],
    },
    'the likes of a restored post are lost': {
      change: [hidePost, "await moveLikes(tx, id, 'shown');", 'void moveLikes;'],
      test: [interleavings, 'leave no difference, on sqlite'],
    },
  },
  69: {
    'the text of a deleted post stays': {
      change: [ownDeletion, "or('removed_at', '<', now - undoSeconds),", "or('removed_at', '<', 0),"],
      test: [undoTest, 'afterwards no table holds the text'],
    },
    'a backup holds a deleted text': {
      change: [
        'server/ops/jobs/purge-deleted-posts.ts',
        'purgeDeleted(opened, now, batch)',
        'purgeDeleted(opened, now - 60, batch)',
      ],
      test: ['server/commands/backup/deleted-texts.test.ts', 'a backup holds no text'],
    },
    'a deleted text stays in the write-ahead log': {
      change: ['server/ops/jobs/purge-deleted-posts.ts', ' db.trimLog();', ';'],
      test: [undoTest, 'the text of a deleted post leaves the files of SQLite after its time to be restored'],
    },
    'a deleted text stays in the statistics of PostgreSQL': {
      change: [
        'server/db/postgres/migrate-postgres.ts',
        '  await dropTextStatistics(client);\n',
        '  void dropTextStatistics;\n',
      ],
      test: ['server/db/migrations.test.ts', 'PostgreSQL gathers no statistics about texts'],
    },
    'a clock that was ahead keeps a deleted text': {
      change: [ownDeletion, "or('removed_at', '>', now + undoSeconds)", "or('removed_at', '<', 0)"],
      test: [undoTest, 'a clock that was ahead keeps no text'],
    },
    'the job waits for as long as the clock was ahead': {
      change: ['server/db/job-queue.ts', "      eb.and([eb('failures', '=', 0), furtherThan(everySeconds)]),\n", ''],
      test: ['server/ops/jobs/job-runner.test.ts', 'ignores times and locks set by a clock that was ahead'],
    },
    'the deletion of an account waits for the job': {
      change: ['server/features/account/store.ts', '  await purgeDeletedOf(tx, id);\n', '  void purgeDeletedOf;\n'],
      test: [undoTest, 'deleting the account removes the text at once'],
    },
    'the likes of a purged post stay': {
      change: [
        ownDeletion,
        '    .execute();\n  for (const { id } of posts) await forgetRemoved(tx, id);\n  return',
        '    .execute();\n  return',
      ],
      test: [undoTest, 'afterwards no table holds the text'],
    },
  },
  67: {
    'the message with the button is as short as others': {
      change: ['web/features/posts/compose/undo-deletion.tsx', '2 * limits.toastMs', 'limits.toastMs'],
      test: [undoSpec, 'stays at least five seconds'],
    },
    'a post returns to the end of a list': {
      change: [returned, 'toSpliced(list[part].indexOf(next), 0, id)', 'concat(id)'],
      test: [returnedTest, 'takes its place in every list'],
    },
    'a post that both event and response report is counted twice': {
      change: [returned, '  if (posts.get(id)) return;\n', ''],
      test: [returnedTest, 'is quoted and counted again, once'],
    },
    'a post restored after a lost response is reported as too late': {
      change: [
        'web/features/posts/compose/undo-deletion.tsx',
        '    return call(getPost, { params: { id: postId } });',
        '    throw error;',
      ],
      test: [undoSpec, 'after a lost response it can be tried again'],
    },
    'a page loaded meanwhile shows the message without its button': {
      change: ['web/app/carried-toasts.ts', 'toast.postId ? { ...toast, Button: UndoButton } : toast', 'toast'],
      test: [undoSpec, 'the same where links load whole pages'],
    },
    'every reply to an edited post says that the text changed after it': {
      change: [
        'web/features/posts/thread/was-changed-after.ts',
        '(answered?.modified_at ?? 0) > reply.created_at',
        '(answered?.modified_at ?? 0) > 0',
      ],
      test: ['test/e2e/editing.spec.ts', 'a reply to a text that was changed later says so'],
    },
  },
});
