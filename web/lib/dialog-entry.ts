/**
 * An open dialog has a history entry of its own above the page's, so that Back closes the dialog and not the page.
 * `closedby` does this only in Chromium on Android.
 */

/** Functions that close the open dialogs, the topmost last. */
const closers: (() => void)[] = [];

/** Set while a step back to the page's own entry is running. */
let goingBack: PromiseWithResolvers<void> | null = null;
/** Repeats a step back until the page's own entry is current, because a browser may drop one without an event. */
let repeating: ReturnType<typeof setInterval> | undefined;
const repeatMs = 2_000;
/** The page is about to be left: dialogs get no further entry. */
let pageIsLeft = false;
/** The browser is loading another document: a step back would stop it. */
let isUnloading = false;
/** How long a navigation that begins together with the end of a dialog may take to be noticed. */
const leaveMs = 50;
let leaveTimer: ReturnType<typeof setTimeout> | undefined;

/** Whether the current entry is that of a dialog. After the dialog has closed, it is so until the step back has ended. */
export const isDialogEntry = (): boolean => history.state?.dialog === true;

/** Makes Back call `close` instead of leaving the page, until the returned function is called. */
export function closeOnBack(close: () => void): () => void {
  closers.push(close);
  isUnloading = false;
  // The entry is added after the frame that shows the dialog, because a navigation takes a slow phone 20 ms.
  requestAnimationFrame(() => setTimeout(matchHistory));
  return () => {
    closers.splice(closers.indexOf(close), 1);
    // Another dialog may open in place of this one.
    clearTimeout(leaveTimer);
    leaveTimer = isDialogEntry() ? setTimeout(leaveClosed, leaveMs) : undefined;
    if (leaveTimer === undefined) queueMicrotask(matchHistory);
  };
}

/** Runs `act`, which replaces or reloads the page's own entry, as soon as that entry is current. */
export function onPageEntry(act: () => void): void {
  if (!isDialogEntry()) return act();
  pageIsLeft = true;
  // For some milliseconds after `popstate` Firefox 153 would still replace the entry of the dialog.
  void goBack().then(() => setTimeout(act, 100));
}

function leaveClosed(): void {
  leaveTimer = undefined;
  matchHistory();
}

/** Whether the step back from a closed dialog's entry is running. It would undo a navigation that begins now. */
export const isLeavingEntry = (): boolean => goingBack !== null;

function noteUnload(): void {
  isUnloading = true;
  clearInterval(repeating);
}

/** Called once, in the browser. */
export function startDialogEntries(): void {
  addEventListener('popstate', () => {
    const byUs = goingBack !== null;
    clearInterval(repeating);
    // The listener exists only while a dialog has an entry: with one, Firefox does not store the page for Back.
    if (!isDialogEntry()) removeEventListener('beforeunload', noteUnload);
    goingBack?.resolve();
    goingBack = null;
    if (!byUs && !isDialogEntry() && closers.length > 0) closers.at(-1)?.();
    else if (!byUs && !isDialogEntry() && leaveTimer !== undefined) {
      // Back was meant for the page, not for the dialog that has just closed.
      clearTimeout(leaveTimer);
      leaveClosed();
      history.back();
    } else matchHistory();
  });
}

/** Adds an entry for open dialogs, or goes back from one if none is open: Forward or a reload may lead to such an entry. */
export function matchHistory(): void {
  if (closers.length === 0) pageIsLeft = false;
  if (goingBack || pageIsLeft || isUnloading) return;
  if (closers.length > 0 && !isDialogEntry()) {
    history.pushState({ ...history.state, dialog: true }, '');
    addEventListener('beforeunload', noteUnload);
  } else if (closers.length === 0 && isDialogEntry()) void goBack();
}

function goBack(): Promise<void> {
  if (!goingBack) {
    goingBack = Promise.withResolvers();
    const again = sameStep();
    history.back();
    repeating = setInterval(() => isDialogEntry() && again(), repeatMs);
  }
  return goingBack.promise;
}

/** Returns a function that steps back to the entry below this one. Called while an earlier step is running, it goes no further than that entry. */
function sameStep(): () => void {
  const below = 'navigation' in window && navigation.entries()[(navigation.currentEntry?.index ?? 0) - 1];
  if (!below) return () => history.back();
  return () => {
    const { committed, finished } = navigation.traverseTo(below.key);
    // Another navigation may cancel the step.
    void committed?.catch(() => {});
    void finished?.catch(() => {});
  };
}
