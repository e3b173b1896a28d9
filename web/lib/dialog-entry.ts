/**
 * An open dialog has a history entry of its own above the page's, so that Back closes the dialog and not the page.
 * `closedby` does this only in Chromium on Android.
 */

/** Functions that close the open dialogs, the topmost last. */
const open: (() => void)[] = [];

/** Set while `history.back()` to the page's own entry is running. */
let leaving: PromiseWithResolvers<void> | null = null;
/** A browser may drop a step back without an event: it is repeated until the page's own entry is current. */
let repeating: ReturnType<typeof setInterval> | undefined;
const repeatMs = 2_000;
/** The page is about to be left: dialogs get no further entry. */
let pageIsLeft = false;
/** The browser is loading another document: a step back would stop it. */
let isUnloading = false;
/** How long a navigation that begins together with the end of a dialog may take to be noticed. */
const leaveMs = 50;
let closing: ReturnType<typeof setTimeout> | undefined;

/** Whether the current entry is that of a dialog, also until `history.back()` after its closing has ended. */
export const isDialogEntry = (): boolean => history.state?.dialog === true;

/** Makes Back call `close` instead of leaving the page, until the returned function is called. */
export function closeOnBack(close: () => void): () => void {
  open.push(close);
  isUnloading = false;
  // After the frame that shows the dialog: a navigation costs a slow phone 20 ms.
  requestAnimationFrame(() => setTimeout(matchHistory));
  return () => {
    open.splice(open.indexOf(close), 1);
    // Another dialog may open in place of this one.
    clearTimeout(closing);
    closing = isDialogEntry() ? setTimeout(leaveClosed, leaveMs) : undefined;
    if (closing === undefined) queueMicrotask(matchHistory);
  };
}

/** Runs `act`, which replaces or reloads the page's own entry, when that entry is current. Usually at once. */
export function onPageEntry(act: () => void): void {
  if (!isDialogEntry()) return act();
  pageIsLeft = true;
  // Firefox 153 would replace the dialog's entry: it takes some milliseconds after `popstate` to know that this one is left.
  void goBack().then(() => setTimeout(act, 100));
}

function leaveClosed(): void {
  closing = undefined;
  matchHistory();
}

/** Whether the step back from a closed dialog's entry is running. It would undo a navigation that begins now. */
export const isLeavingEntry = (): boolean => leaving !== null;

function noteUnload(): void {
  isUnloading = true;
  clearInterval(repeating);
}

/** Called once, in the browser. */
export function startDialogEntries(): void {
  addEventListener('popstate', () => {
    const byUs = leaving !== null;
    clearInterval(repeating);
    // Not on every page: Firefox would store none for Back.
    if (!isDialogEntry()) removeEventListener('beforeunload', noteUnload);
    leaving?.resolve();
    leaving = null;
    if (!byUs && !isDialogEntry() && open.length > 0) open.at(-1)?.();
    else if (!byUs && !isDialogEntry() && closing !== undefined) {
      // Back was meant for the page, not for the dialog that has just closed.
      clearTimeout(closing);
      leaveClosed();
      history.back();
    } else matchHistory();
  });
}

/** Adds or leaves the dialogs' entry. Forward or a reload may have led to one although no dialog is open. */
export function matchHistory(): void {
  if (open.length === 0) pageIsLeft = false;
  if (leaving || pageIsLeft || isUnloading) return;
  if (open.length > 0 && !isDialogEntry()) {
    history.pushState({ ...history.state, dialog: true }, '');
    addEventListener('beforeunload', noteUnload);
  } else if (open.length === 0 && isDialogEntry()) void goBack();
}

function goBack(): Promise<void> {
  if (!leaving) {
    leaving = Promise.withResolvers();
    const again = sameStep();
    history.back();
    repeating = setInterval(() => isDialogEntry() && again(), repeatMs);
  }
  return leaving.promise;
}

/** The step to the entry below this one. If the first is still running, it goes no further back. */
function sameStep(): () => void {
  const below = 'navigation' in window && navigation.entries()[(navigation.currentEntry?.index ?? 0) - 1];
  if (!below) return () => history.back();
  return () => {
    const { committed, finished } = navigation.traverseTo(below.key);
    // Another navigation may win.
    void committed?.catch(() => {});
    void finished?.catch(() => {});
  };
}
