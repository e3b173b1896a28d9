import { byRule } from './mutation.ts';

const walk = 'test/e2e/browsers/main.ts';

/** What must work in every browser: rules 50 and 51. */
export const browsers = byRule({
  50: {
    'the menu of a post fades in': {
      change: [
        'web/ui/menu.module.css',
        'position-try-fallbacks: flip-block;',
        'position-try-fallbacks: flip-block; transition: opacity 0.1s; @starting-style { opacity: 0; }',
      ],
      test: [walk, 'the menu of a post is visible'],
    },
    'the stylesheet of a part applies while it is loading': {
      change: ['web/lib/load-part.ts', ", media: 'not all' }", ' }'],
      test: ['test/e2e/weight.spec.ts', 'a stylesheet applies once it is loaded'],
    },
    'a denied channel between tabs keeps the app from starting': {
      change: ['web/lib/tab-channel.ts', 'return () => {};', "throw new Error('denied');"],
      test: ['test/e2e/theme.spec.ts', 'with all cookies blocked pages are read'],
    },
    'the second press of a double click closes the dialog': {
      change: ['web/ui/dialog.tsx', ' && event.detail < 2', ''],
      test: [walk, 'a double click opens the dialog'],
    },
    'virtua hears of its own scrolling only from the browser': {
      change: ['web/features/posts/list/windowed-posts.tsx', ', onResize: tellScroll', ''],
      test: ['test/e2e/reading-line.spec.ts', 'when scroll events come late'],
    },
  },
  51: {
    'parts of the app are imported without a fetch before': {
      change: [
        'web/lib/load-part.ts',
        'await Promise.all(files.map((file) => `/${file}`).map(loadOnce));',
        'void loadOnce;',
      ],
      test: [walk, 'parts of the app|loads them once'],
    },
    'a page without the code of the app is not reloaded': {
      change: ['web/app/failed-start.ts', 'location.reload();else ', ''],
      test: ['test/e2e/failures.spec.ts', 'when main does not load'],
    },
    'a page whose code never loads is reloaded again and again': {
      change: ['web/app/failed-start.ts', ".type!='reload'", ".type!=''"],
      test: ['test/e2e/failures.spec.ts', 'when main does not load'],
    },
  },
});
