import { byRule } from './mutation.ts';

const sharingSpec = 'test/e2e/sharing.spec.ts';
const newPost = 'web/pages/new-post.tsx';

/** Installing, shortcuts and what other apps share: rule 121. */
export const homeScreen = byRule({
  121: {
    'the wall cannot be installed': {
      change: ['server/pages/site-files.ts', "display: 'standalone'", "display: 'browser'"],
      test: ['test/e2e/home-screen.spec.ts', 'has nothing against installing'],
    },
    'what is shared replaces the draft': {
      change: ['web/features/posts/compose/take-shared.ts', '`${written}\\n\\n${shared}`', 'shared'],
      test: [sharingSpec, 'below what was written before'],
    },
    'what is shared is lost while a visitor signs in': {
      change: [newPost, 'if (location.search) keepShared(location.search);', ''],
      test: [sharingSpec, 'a visitor signs in first'],
    },
    'the composer opens again after a reload': {
      change: [newPost, "history.replaceState(history.state, '', addresses.feed.href());", ''],
      test: [sharingSpec, 'the shortcut opens an empty composer'],
    },
  },
});
