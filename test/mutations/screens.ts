import type { Mutations } from './mutation.ts';

/** Rules about the web app in browsers. */
export const screens: Mutations = {
  50: {
    'a denied channel between tabs keeps the app from starting': {
      change: ['web/lib/tab-channel.ts', 'return () => {};', "throw new Error('denied');"],
      test: ['test/e2e/theme.spec.ts', 'with all cookies blocked pages are read'],
    },
    'a form leaves out the query of its page in w3m': {
      change: ['web/plain/form.tsx', '<form method="post" action={action}>', '<form method="post">'],
      test: ['server/pages/plain.test.ts', 'a person does everything by links and forms'],
    },
  },
  51: {
    'a page without the code of the app is not reloaded': {
      change: ['web/app/failed-start.ts', 'location.reload();else{', '{'],
      test: ['test/e2e/failures.spec.ts', 'does not load, a page is reloaded once'],
    },
  },
  53: {
    'the place in the list is not stored when a page is left': {
      change: ['web/router/stored-places.ts', '.slice(-most)', '.slice(most)'],
      test: ['test/e2e/kept-place.spec.ts', 'thirty pages down'],
    },
  },
  54: {
    'a dialog has no history entry of its own': {
      change: ['web/lib/dialog-entry.ts', "history.pushState({ ...history.state, dialog: true }, '');", 'return;'],
      test: ['test/e2e/back-closes-dialogs.spec.ts', 'Back closes the sign-in dialog'],
    },
  },
  55: {
    'the app does not check whether the browser stored the session': {
      change: ['web/features/sign-in/sign-in-flow.ts', "error.code === 'UNAUTHORIZED'", "error.code === 'NOT_FOUND'"],
      test: ['web/features/sign-in/sign-in-flow.test.ts', 'signs nobody in, and says so'],
    },
  },
  61: {
    'the button leaves a low window with the rest of the form': {
      change: ['web/features/posts/compose/text-form.tsx', 'data-fits', ''],
      test: ['test/e2e/composing.spec.ts', 'when the keyboard makes the page smaller'],
    },
  },
  62: {
    'what is read is not held where it is when replies come above it': {
      change: ['web/features/posts/thread/thread-window.ts', 'if (ids() !== shownIds) hold();', ''],
      test: ['test/e2e/thread-live.spec.ts', 'nothing on the screen moves'],
    },
  },
  63: {
    'all rows of a discussion are in the document': {
      change: [
        'web/features/posts/thread/thread-window.ts',
        'if (all.length <= windowedFrom || !box) return null;',
        'if (all.length > 0 || !box) return null;',
      ],
      test: ['test/e2e/thread-long.spec.ts', '1,000 replies'],
    },
  },
  67: {
    'a post returns to the end of a list': {
      change: [
        'web/features/posts/store/restored-posts.ts',
        'toSpliced(list[part].indexOf(next), 0, id)',
        'concat(id)',
      ],
      test: ['web/features/posts/store/restored-posts.test.ts', 'takes its place in every list'],
    },
  },
  76: {
    'a post that is deleted takes the line with it': {
      change: [
        'web/features/posts/list/stop.ts',
        'ids.findIndex((id) => Number(id) <= Number(post))',
        'ids.findIndex((id) => id === post)',
      ],
      test: ['web/features/posts/list/stop.test.ts', 'the next older one'],
    },
  },
  77: {
    'every post that is read is written': {
      change: ['web/features/reading/report-reading.ts', '(writes.at(-1) ?? -Infinity) + betweenWritesMs', '0'],
      test: ['web/features/reading/report-reading.test.ts', 'sends the first position at once'],
    },
  },
  78: {
    'a new reply that is not loaded is passed over': {
      change: ['web/features/posts/thread/next-new.ts', "if (more) places.push({ is: 'branch', id });", ''],
      test: ['web/features/posts/thread/next-new.test.ts', 'loads the rest of a branch'],
    },
  },
  80: {
    'a sign that looks like a slash passes for the end of the host': {
      change: ['contract/links.ts', '...(misleads(link) && { shown: href })', ''],
      test: ['server/pages/feeds.test.ts', 'a link whose host reads like another one'],
    },
  },
  81: {
    'all searches share one page in the cache': {
      change: ['server/pages/routes.ts', 'JSON.stringify(query)', "query.cursor ?? ''"],
      test: ['web/features/search/search-page.test.ts', 'stays out of search engines'],
    },
  },
  86: {
    'a new reply takes the shown ones of its discussion up': {
      change: ['web/features/notifications/groups.ts', 'page: pageOf(index)', 'page: 0'],
      test: ['web/features/notifications/groups.test.ts', 'newer notifications go above'],
    },
  },
  87: {
    'reading does not change the number of the bell': {
      change: ['web/features/notifications/reading.ts', 'reader.read(id);', 'void reader;'],
      test: ['web/features/notifications/notifications.test.ts', 'is read on all'],
    },
  },
  88: {
    'two requests run at once': {
      change: ['web/lib/latest-wins.ts', 'if (!isRunning) running =', 'running ='],
      test: ['web/features/notifications/notification-settings-page.test.ts', 'the last ones count'],
    },
  },
  96: {
    'a dismissed moderator stays at the desk': {
      change: [
        'web/features/moderation/desk/act-dialog.tsx',
        'if (await leaveIfDismissed()) return;',
        'void leaveIfDismissed;',
      ],
      test: ['web/features/moderation/desk/access.test.ts', 'somebody who is dismissed loses the desk'],
    },
  },
  97: {
    'the focus is lost with what was settled': {
      change: ['web/features/moderation/desk/queue.tsx', 'void focusCard(await queue', 'void (await queue'],
      test: ['web/features/moderation/desk/queue-decisions.test.ts', 'a report is settled in three taps'],
    },
  },
  98: {
    'closing one pinned post closes all of them': {
      change: ['web/features/posts/pinned/pinned-post.tsx', 'closed === post.id', 'closed !== null'],
      test: [
        'web/features/posts/pinned/pinned-post.test.ts',
        'a closed pinned post stays closed until there is another',
      ],
    },
  },
  121: {
    'what is shared replaces the draft': {
      change: ['web/features/posts/compose/take-shared.ts', '`${written}\\n\\n${shared}`', 'shared'],
      test: ['web/features/posts/compose/sharing.test.ts', 'below what was written before'],
    },
  },
  124: {
    'the message offers to undo an earlier act': {
      change: ['web/lib/toasts.ts', 'newer.topic === earlier.topic', 'earlier.topic === null'],
      test: ['web/lib/toasts.test.ts', 'a button is replaced by the next one, and by a toast of its topic'],
    },
  },
};
