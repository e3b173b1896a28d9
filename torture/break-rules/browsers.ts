import type { BrokenRule } from './broken-rule.ts';

const walk = 'e2e/browsers/main.ts';

/** What must work in every browser: rules 50 and 51. */
export const browsers: readonly BrokenRule[] = [
  {
    rule: 50,
    how: 'the menu of a post fades in',
    file: 'web/ui/menu.module.css',
    from: 'position-try-fallbacks: flip-block;',
    to: 'position-try-fallbacks: flip-block; transition: opacity 0.1s; @starting-style { opacity: 0; }',
    test: walk,
    name: 'the menu of a post is seen',
  },
  {
    rule: 51,
    how: 'parts of the app are imported without being fetched first',
    file: 'web/lib/load-part.ts',
    from: 'await Promise.all(addresses.map(fetchFile));',
    to: 'void fetchFile;',
    test: walk,
    name: 'parts of the app|they come once',
  },
];
