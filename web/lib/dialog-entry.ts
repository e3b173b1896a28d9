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

/** Whether the current entry is that of a dialog, also until `history.back()` after its closing has ended. */
export const isDialogEntry = (): boolean => history.state?.dialog === true;

/** Makes Back call `close` instead of leaving the page, until the returned function is called. */
export function closeOnBack(close: () => void): () => void {
  open.push(close);
  // After the frame that shows the dialog: a navigation costs a slow phone 20 ms.
  requestAnimationFrame(() => setTimeout(matchHistory));
  return () => {
    open.splice(open.indexOf(close), 1);
    // Another dialog may open in place of this one.
    queueMicrotask(matchHistory);
  };
}

/** Runs `act`, which replaces or reloads the page's own entry, when that entry is current. Usually at once. */
export function onPageEntry(act: () => void): void {
  if (!isDialogEntry()) return act();
  pageIsLeft = true;
  // Firefox 153 would replace the dialog's entry: it takes some milliseconds after `popstate` to know that this one is left.
  void goBack().then(() => setTimeout(act, 100));
}

/** Called once, in the browser. */
export function startDialogEntries(): void {
  addEventListener('popstate', () => {
    const byUs = leaving !== null;
    clearInterval(repeating);
    leaving?.resolve();
    leaving = null;
    if (!byUs && !isDialogEntry() && open.length > 0) open.at(-1)?.();
    else matchHistory();
  });
}

/** Adds or leaves the dialogs' entry. Forward or a reload may have led to one although no dialog is open. */
export function matchHistory(): void {
  if (open.length === 0) pageIsLeft = false;
  if (leaving || pageIsLeft) return;
  if (open.length > 0 && !isDialogEntry()) history.pushState({ ...history.state, dialog: true }, '');
  else if (open.length === 0 && isDialogEntry()) void goBack();
}

function goBack(): Promise<void> {
  if (!leaving) {
    leaving = Promise.withResolvers();
    history.back();
    repeating = setInterval(() => isDialogEntry() && history.back(), repeatMs);
  }
  return leaving.promise;
}
