import type { BrokenRule } from './broken-rule.ts';

/** Where readers are and what they tapped: rules 53–55. */
export const navigation: readonly BrokenRule[] = [
  {
    rule: 53,
    how: 'the place is not stored when a page is left',
    file: 'web/router/stored-places.ts',
    from: '.slice(-most)',
    to: '.slice(most)',
    test: 'e2e/kept-place.spec.ts',
    name: 'thirty pages down',
  },
  {
    rule: 53,
    how: 'the place is stored when a page goes, not when it is hidden',
    file: 'web/router/stored-places.ts',
    from: "if (document.visibilityState === 'hidden') store();",
    to: '',
    test: 'e2e/kept-place.spec.ts',
    name: 'discarded unasked',
  },
  {
    rule: 54,
    how: 'a dialog has no history entry of its own',
    file: 'web/lib/dialog-entry.ts',
    from: "history.pushState({ ...history.state, dialog: true }, '');",
    to: 'return;',
    test: 'e2e/back-closes-dialogs.spec.ts',
    name: 'Back closes the dialog of signing in',
  },
  {
    rule: 54,
    how: 'the entry of a dialog stays when the dialog is closed by a button',
    file: 'web/lib/dialog-entry.ts',
    from: 'else if (open.length === 0 && isDialogEntry()) void goBack();',
    to: '',
    test: 'e2e/back-closes-dialogs.spec.ts',
    name: 'leaves nothing behind in the history',
  },
  {
    rule: 55,
    how: 'windowed posts take no clicks until scrolling has ended',
    file: 'web/posts/post-list.module.css',
    from: 'pointer-events: auto;',
    to: 'pointer-events: inherit;',
    test: 'e2e/scrolling.spec.ts',
    name: 'right after scrolling',
  },
  {
    rule: 55,
    how: 'nobody looks whether the browser stored the session',
    file: 'web/auth/session-stored.ts',
    from: "if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return false;",
    to: 'void error;',
    test: 'web/auth/sign-in-flow.test.ts',
    name: 'a browser that drops the cookie',
  },
];
