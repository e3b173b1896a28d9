import { byRule } from './mutation.ts';

const desk = 'web/features/moderation/desk';
const queue = `${desk}/queue.tsx`;
const queueList = `${desk}/queue-list.ts`;
const queueListTest = `${desk}/queue-list.test.ts`;
const dialog = `${desk}/act-dialog.tsx`;
const pinnedPost = 'web/features/posts/pinned/pinned-post.tsx';
const closedPin = 'web/features/posts/list/closed-pin.ts';
const queueTest = `${desk}/queue.test.ts`;
const queueSpec = 'test/e2e/desk-queue.spec.ts';
const accessSpec = 'test/e2e/desk-access.spec.ts';
const peopleTest = `${desk}/people.test.ts`;
const journalSpec = 'test/e2e/desk-journal.spec.ts';
const pinSpec = 'test/e2e/pin.spec.ts';

/** The desk and the announcement in the browser: rules 96 to 98, and 124. */
export const deskScreens = byRule({
  96: {
    'the settings lead everybody to the desk': {
      change: ['web/pages/settings-list.tsx', "{user.role === 'moderator' && <Row", '{<Row'],
      test: [accessSpec, 'the settings lead moderators to the desk'],
    },
    'the title of the desk is shown before its data': {
      change: [
        'web/pages/moderation.tsx',
        '{ heading: username } : missingDescription',
        "{ heading: username } : { heading: 'Модерация' }",
      ],
      test: [accessSpec, 'what is shown meanwhile'],
    },
    'the code of the desk is loaded ahead for everybody': {
      change: [
        'web/pages/moderation.tsx',
        "    access: 'user',",
        "    access: 'user',\n    prefetch: () => import('../features/moderation/desk/desk-part.tsx'),",
      ],
      test: [accessSpec, 'nothing of the desk is loaded for others'],
    },
    'a dismissed moderator stays at the desk': {
      change: [dialog, 'if (await leaveIfDismissed()) return;', 'void leaveIfDismissed;'],
      test: [accessSpec, 'somebody who is dismissed loses the desk'],
    },
  },
  97: {
    'a reason must be confirmed': {
      change: [
        queue,
        "      hint: 'Причину увидит автор.',\n      reasons: moderationReasons,\n      isSwift: true,",
        "      hint: 'Причину увидит автор.',\n      reasons: moderationReasons,\n      isSwift: false,",
      ],
      test: [queueTest, 'a report is settled in three taps'],
    },
    'the focus stays on what was settled': {
      change: [queue, 'if (list.current && first) focusAfter(list.current, first.post_id);', 'void focusAfter;'],
      test: [queueTest, 'a report is settled in three taps'],
    },
    'a card that collapses above the window pulls up what is below it': {
      change: [`${desk}/keep-below.ts`, 'scrollBy(0, after.bottom - before.bottom);', ''],
      test: [queueSpec, 'a card that collapses moves nothing'],
    },
    'a card collapses before its dialog has left the history': {
      change: [queue, 'await dialogEntryLeft();', 'void dialogEntryLeft;'],
      test: [queueSpec, 'a card that collapses moves nothing'],
    },
    'what another moderator has done looks like an own act': {
      change: [
        queue,
        'if (actId === null) return showToast(alreadyDone);\n    offerUndo(text, actId',
        'offerUndo(text, actId!',
      ],
      test: [queueTest, 'what another moderator has settled meanwhile'],
    },
    'a block is not repeated after the code': {
      change: [dialog, '      void carryOut(reason);\n    };\n    return <FreshCode', '    };\n    return <FreshCode'],
      test: [peopleTest, 'a block asks for a fresh code and then goes on'],
    },
    'each attempt to make invitations has a key of its own': {
      change: [`${desk}/invites.tsx`, 'key.current ??= randomKey();', 'key.current = randomKey();'],
      test: [journalSpec, 'invitations are made once'],
    },
  },
  98: {
    'a closed announcement is painted until the app has started': {
      change: [closedPin, 'document.adoptedStyleSheets.push(s)', ''],
      test: [pinSpec, 'a closed announcement is not painted before'],
    },
    'its post also stands in the list': {
      change: ['web/features/posts/list/post-list-item.tsx', 'id === announced && id !== closed', 'id === closed'],
      test: [pinSpec, 'the post stands in the list only for those who have closed the announcement'],
    },
    'its post has no place in the list until the app has started': {
      change: [closedPin, `[data-announced="'+i+'"]{display:block!important}`, ''],
      test: [pinSpec, 'a closed announcement is not painted before'],
    },
    'closing one announcement closes all of them': {
      change: [pinnedPost, 'closed === post.id', 'closed !== null'],
      test: [pinSpec, 'a closed announcement stays closed until there is another'],
    },
    'its code is loaded without an announcement': {
      change: ['web/pages/feed.tsx', 'needsPart: (found) => !!found?.list?.page.pinned', 'needsPart: () => true'],
      test: [pinSpec, 'its code is loaded only while there is an announcement'],
    },
    'a deleted announcement stays': {
      change: [pinnedPost, 'if (isDeleted || closed', 'if (closed'],
      test: [pinSpec, 'a deleted announcement leaves the page'],
    },
  },
  124: {
    'the message offers to undo an earlier act': {
      change: ['web/lib/toasts.ts', 'newer.topic === earlier.topic', 'earlier.topic === null'],
      test: ['web/lib/toasts.test.ts', 'a button is replaced by the next one, and by a toast of its topic'],
    },
    'a card under the thumb collapses when another moderator decides': {
      change: [queueList, 'settledElsewhere.filter(({ post }) => mayChange(post.post_id))', 'settledElsewhere'],
      test: [queueListTest, 'what is on the screen changes once it is out of sight'],
    },
    'a decision during a check is offered again': {
      change: [queueList, 'decisions !== decisionsBefore || ', ''],
      test: [queueListTest, 'a decision during a check counts more than its responses'],
    },
    'every check loads the whole queue': {
      change: [queueList, 'if (sign === seen) return;', ''],
      test: [queueListTest, 'without a change a check costs one request'],
    },
  },
});
