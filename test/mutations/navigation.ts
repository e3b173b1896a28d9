import { byRule } from './mutation.ts';

const storedPlaces = 'web/app/router/stored-places.ts';
const keptPlaceSpec = 'test/e2e/kept-place.spec.ts';
const dialogEntry = 'web/lib/dialog-entry.ts';
const backClosesDialogsSpec = 'test/e2e/back-closes-dialogs.spec.ts';
const composingSpec = 'test/e2e/composing.spec.ts';

/** Places in lists, history entries, taps and keyboards: rules 53–55, 61. */
export const navigation = byRule({
  53: {
    'the place in the list is not stored when a page is left': {
      change: [storedPlaces, '.slice(-most)', '.slice(most)'],
      test: [keptPlaceSpec, 'thirty pages down'],
    },
    'the place in the list is stored on leaving a page, but not when the page becomes hidden': {
      change: [storedPlaces, "if (document.visibilityState === 'hidden') store();", ''],
      test: [keptPlaceSpec, 'survives a discarded tab'],
    },
    'the address entered once more leads to the place left before': {
      change: [storedPlaces, "load?.type === 'navigate' ? null : storedPlace(entry)", 'storedPlace(entry)'],
      test: [keptPlaceSpec, 'entering the same address again'],
    },
  },
  54: {
    'a dialog has no history entry of its own': {
      change: [dialogEntry, "history.pushState({ ...history.state, dialog: true }, '');", 'return;'],
      test: [backClosesDialogsSpec, 'Back closes the sign-in dialog'],
    },
    'the entry of a dialog stays when the dialog is closed by a button': {
      change: [dialogEntry, 'else if (open.length === 0 && isDialogEntry()) void goBack();', ''],
      test: [backClosesDialogsSpec, 'closed in another way leaves no history entry'],
    },
  },
  55: {
    'windowed posts ignore clicks until scrolling has ended': {
      change: ['web/features/posts/list/post-list.module.css', 'pointer-events: auto;', 'pointer-events: inherit;'],
      test: ['test/e2e/scrolling.spec.ts', 'right after scrolling'],
    },
    'the app does not check whether the browser stored the session': {
      change: [
        'web/features/sign-in/sign-in-flow.ts',
        "if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return false;",
        'void error;',
      ],
      test: ['web/features/sign-in/sign-in-flow.test.ts', 'a browser that drops the cookie'],
    },
  },
  61: {
    'the dialog lies under a keyboard that covers the page': {
      change: ['web/features/posts/compose/fit-above-keyboard.ts', "viewport.addEventListener('resize', fit);", ''],
      test: [composingSpec, 'above a keyboard that covers the page'],
    },
    'the button leaves a low window with the rest of the form': {
      change: ['web/features/posts/compose/text-form.tsx', 'data-fits', ''],
      test: [composingSpec, 'when the keyboard makes the page smaller'],
    },
  },
});
