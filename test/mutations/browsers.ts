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
  },
  51: {
    'parts of the app are imported without a fetch before': {
      change: ['web/lib/load-part.ts', 'await Promise.all(addresses.map(fetchFile));', 'void fetchFile;'],
      test: [walk, 'parts of the app|loads them once'],
    },
  },
});
