import { byRule } from './mutation.ts';

const groups = 'web/features/notifications/groups.ts';
const groupsTest = 'web/features/notifications/groups.test.ts';
const useGroups = 'web/features/notifications/use-groups.ts';
const told = 'web/features/notifications/told.ts';
const following = 'web/features/posts/card/following.ts';
const followItem = 'web/features/posts/card/follow-item.tsx';
const settings = 'web/features/notifications/use-notification-settings.ts';
const groupsSpec = 'test/e2e/notifications-groups.spec.ts';
const followingSpec = 'test/e2e/following.spec.ts';
const settingsTest = 'web/features/notifications/notification-settings-page.test.ts';

/** The page of notifications, following and its settings: rules 86–88. */
export const groupedNotifications = byRule({
  86: {
    'a new answer takes the shown ones of its discussion up': {
      change: [groups, 'isNext ? joined(newer, middle) : [...newer, ...middle]', 'joined(newer, middle)'],
      test: [groupsTest, 'newer notifications go above'],
    },
    'everything is grouped anew when something is deleted': {
      change: [
        groups,
        'new Set(before.flatMap((group) => group.ids))',
        'new Set<string>(before.length > 99 ? [] : [])',
      ],
      test: [groupsTest, 'a deleted answer leaves the others in their order'],
    },
    'an older page does not continue the last discussion': {
      change: [
        groups,
        'joined(isNext ? joined(newer, middle) : [...newer, ...middle], older)',
        '[...joined(newer, middle), ...older]',
      ],
      test: [groupsTest, 'an older page goes below'],
    },
    'a list that is loaded again is grouped as a whole': {
      change: [groups, 'start += limits.pageSize', 'start += ids.length'],
      test: [groupsTest, 'down to the same depth'],
    },
    'a reload finds the place of a card without the head above it': {
      change: [useGroups, 'places.get(id)?.isFirst ? headHeight() : 0', 'places.get(id)?.isFirst ? 0 : 0'],
      test: [groupsSpec, 'Back and a reload find the same place'],
    },
    'a group of muted authors keeps its head': {
      change: [useGroups, "!muted.has(post(id)?.owner.id ?? '')", "post(id)?.owner.id !== ''"],
      test: [groupsSpec, 'a group of muted authors vanishes'],
    },
    'a deleted root post stays in the head': {
      change: [useGroups, 'isDeleted || !told ? undefined', 'isDeleted === null ? undefined'],
      test: [groupsSpec, 'a changed post is named'],
    },
    'each answer of a group quotes the same post': {
      change: [useGroups, 'above?.actions.replied_post_id ?? root', 'root'],
      test: [groupsSpec, 'whose post is quoted once'],
    },
  },
  87: {
    'the kinds of notifications are mixed up': {
      change: [told, 'page.kinds[index]!', 'page.kinds[0]!'],
      test: [groupsSpec, 'say why they are there, on every device'],
    },
    'a mention in a root post is counted as an answer to it': {
      change: [
        'web/features/notifications/notification-item.tsx',
        'isFirst && root === null',
        'isFirst && root === id',
      ],
      test: [groupsSpec, 'say why they are there, on every device'],
    },
    'reading does not change the number of the bell': {
      change: ['web/features/notifications/reading.ts', 'reader.read(id);', 'void reader;'],
      test: ['test/e2e/notifications.spec.ts', 'is read on all'],
    },
  },
  88: {
    'the item acts before it is known what it does': {
      change: [followItem, 'disabled={!isVisitor && following === undefined}', 'disabled={false}'],
      test: [followingSpec, 'until the server has answered'],
    },
    'a failure leaves the wrong state': {
      change: [following, 'shown === following ? settled : shown', 'shown'],
      test: [followingSpec, 'leaves the discussion as it was'],
    },
    'a visitor’s wish to follow is forgotten': {
      change: ['web/app/app-screen.tsx', "action.kind === 'follow'", "action.kind === 'visit'"],
      test: [followingSpec, 'a visitor signs in and then follows'],
    },
    'a change during a request is not sent': {
      change: [settings, 'while (sent !== wanted.current)', 'while (sent === null)'],
      test: [settingsTest, 'the last ones count'],
    },
    'two requests run at once': {
      change: [settings, 'if (isSending.current) return;', 'void isSending.current;'],
      test: [settingsTest, 'the last ones count'],
    },
  },
});
