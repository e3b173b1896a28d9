import type { Mutation } from './mutation.ts';

const walk = 'test/e2e/browsers/main.ts';

/** What must work in every browser: rules 50 and 51. */
export const browsers: readonly Mutation[] = [
  {
    rule: 50,
    how: 'the menu of a post fades in',
    file: 'web/ui/menu.module.css',
    from: 'position-try-fallbacks: flip-block;',
    to: 'position-try-fallbacks: flip-block; transition: opacity 0.1s; @starting-style { opacity: 0; }',
    test: walk,
    name: 'the menu of a post is visible',
  },
  {
    rule: 51,
    how: 'parts of the app are imported without a fetch before',
    file: 'web/lib/load-part.ts',
    from: 'await Promise.all(addresses.map(fetchFile));',
    to: 'void fetchFile;',
    test: walk,
    name: 'parts of the app|loads them once',
  },
];
