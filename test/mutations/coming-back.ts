import { byRule } from './mutation.ts';

const report = 'web/features/reading/report-reading.ts';
const reportTest = 'web/features/reading/report-reading.test.ts';
const stored = 'web/features/reading/stored-reading.ts';
const watchRead = 'web/features/reading/watch-read.ts';
const reading = 'web/features/reading/reading.ts';
const visit = 'web/features/reading/visit.ts';
const windowed = 'web/features/posts/list/windowed-posts.tsx';
const updates = 'web/features/posts/store/post-list-updates.ts';
const nextNew = 'web/features/posts/thread/next-new.ts';
const nextNewTest = 'web/features/posts/thread/next-new.test.ts';
const lineSpec = 'test/e2e/reading-line.spec.ts';
const devicesSpec = 'test/e2e/reading-devices.spec.ts';
const threadSpec = 'test/e2e/thread-since.spec.ts';

/** What a person finds on coming back: rules 76–78. */
export const comingBack = byRule({
  76: {
    'the line moves with what is read during the visit': {
      change: [visit, 'if (isRunning(visit, reader, serverNow())) return visit.line;', 'void isRunning;'],
      test: [lineSpec, 'a reload within the visit keeps the line'],
    },
    'a visit never ends': {
      change: [visit, 'Math.abs(now - visit.at) < breakSeconds', 'breakSeconds > now - now'],
      test: ['web/features/reading/visit.test.ts', 'lasts until nothing was read'],
    },
    'the line takes room between the cards': {
      change: ['web/features/posts/list/stop-line.module.css', 'block-size: 0;', 'block-size: 20px;'],
      test: [lineSpec, 'after a break the line marks'],
    },
    'posts that are added above push down what is read': {
      change: [windowed, 'shift={shown.isGrownAbove}', 'shift={false}'],
      test: [lineSpec, 'reading upward leads to the newest post'],
    },
    'a post that is deleted takes the line with it': {
      change: [
        'web/features/posts/list/stop.ts',
        'ids.findIndex((id) => Number(id) <= Number(post))',
        'ids.findIndex((id) => id === post)',
      ],
      test: ['web/features/posts/list/stop.test.ts', 'the next older one'],
    },
    'posts between the place and the newest ones count as new': {
      change: [updates, 'above !== undefined && Number(post.id) <= Number(above.newest)', 'above !== above'],
      test: ['web/features/posts/list/stop.test.ts', 'grows upward to the newest post'],
    },
    'a place deep in the feed is lost by a reload': {
      change: [
        'web/app/router/load-down-to.ts',
        'anchor.position > mostPages * limits.pageSizeMax',
        'anchor.position < 0',
      ],
      test: [lineSpec, 'Back and a reload restore the same post'],
    },
  },
  77: {
    'a post counts as read at once': {
      change: [watchRead, 'const readMs = 1_000;', 'const readMs = 100;'],
      test: [devicesSpec, 'seen for less than a second'],
    },
    'posts are read in a hidden tab': {
      change: [watchRead, 'if (document.hidden) return since.clear();', ''],
      test: [devicesSpec, 'seen for less than a second'],
    },
    'the place is written whenever the page is hidden': {
      change: [report, 'if (pauseNow(true) <= 0) void write', 'void write'],
      test: [reportTest, 'at most six times a minute'],
    },
    'every post that is read is written': {
      change: [report, '(writes.at(-1) ?? -Infinity) + betweenWritesMs', '0'],
      test: [reportTest, 'sends the first position at once'],
    },
    'a write is cut off when the page is left': {
      change: [reading, 'keepalive: true', 'keepalive: false'],
      test: [devicesSpec, 'unless the page is hidden'],
    },
    'what was read is not written when the page is hidden': {
      change: [reading, 'if (document.hidden) report.leave();', ''],
      test: [devicesSpec, 'unless the page is hidden'],
    },
    'a device learns of the place only when the page is loaded': {
      change: [reading, 'if (furthest.has(read)) advance(read, post_id);', ''],
      test: [devicesSpec, 'another device knows the place'],
    },
    'an older tab of a visitor moves the place back': {
      change: [
        stored,
        'known !== undefined && Number(known) > Number(postId) ? known : postId',
        'known ? postId : postId',
      ],
      test: ['web/features/reading/stored-reading.test.ts', 'never goes back'],
    },
  },
  78: {
    'one’s own replies are new': {
      change: [
        'web/features/posts/store/thread-tree.ts',
        'if (ownerId === undefined || ownerId === visit?.reader) return false;',
        'if (ownerId === undefined) return false;',
      ],
      test: [threadSpec, 'their own replies are not new'],
    },
    'every reply is new on the first visit': {
      change: [
        'web/features/posts/store/thread-tree.ts',
        'since !== null && Number(id) > Number(since)',
        'Number(id) > Number(since)',
      ],
      test: [threadSpec, 'replies since the last visit are marked'],
    },
    'a new reply that is not loaded is passed over': {
      change: [nextNew, "if (more) places.push({ is: 'branch', id });", ''],
      test: [nextNewTest, 'loads the rest of a branch'],
    },
    'a new reply beside the one with the focus counts as read': {
      change: [
        'web/features/posts/thread/unread-replies.ts',
        'posts.includes(focused.id) && isNewReply(thread, focused.id, focused.ownerId) ? [focused.id] : posts',
        'posts',
      ],
      test: [nextNewTest, 'those beside it do not count as read'],
    },
    'the last visit counts for one page of the discussion only': {
      change: [
        'web/features/posts/thread/thread-visits.ts',
        'store.post(source.postId)?.actions.parent_post_id ?? source.postId',
        'source.postId',
      ],
      test: [threadSpec, 'last visit is on the server'],
    },
  },
});
