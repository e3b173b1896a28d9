/**
 * While a dialog is open it has a history entry of its own over the page's, so that Back closes it and leaves the page
 * where it is. `closedby` does this for Back on Android's Chromium alone.
 */

/** What closes the dialogs that are open, the topmost last. */
const open: (() => void)[] = [];

/** The way back to the page's own entry, while it is under way. */
let leaving: PromiseWithResolvers<void> | null = null;
/** The page under the dialogs is about to go: they get no other entry. */
let pageGoes = false;

const isDialogEntry = (): boolean => history.state?.dialog === true;

/** Until the returned function is called Back calls `close` instead of leaving the page. */
export function closeOnBack(close: () => void): () => void {
  open.push(close);
  // After the frame that shows the dialog: a navigation costs a slow phone 20 ms.
  requestAnimationFrame(() => setTimeout(matchHistory));
  return () => {
    open.splice(open.indexOf(close), 1);
    // One dialog may make way for another.
    queueMicrotask(matchHistory);
  };
}

/** For what replaces or reloads the page's own entry: does so once that is the current one, usually at once. */
export function onPageEntry(act: () => void): void {
  if (!isDialogEntry()) return act();
  pageGoes = true;
  void goBack().then(act);
}

/** In the browser, once. */
export function startDialogEntries(): void {
  addEventListener('popstate', () => {
    const byUs = leaving !== null;
    leaving?.resolve();
    leaving = null;
    if (!byUs && !isDialogEntry() && open.length > 0) open.at(-1)?.();
    else matchHistory();
  });
}

/** An entry for dialogs if one is open, and none otherwise: Forward, or a reload, may have led to one. */
export function matchHistory(): void {
  if (open.length === 0) pageGoes = false;
  if (leaving || pageGoes) return;
  if (open.length > 0 && !isDialogEntry()) history.pushState({ ...history.state, dialog: true }, '');
  else if (open.length === 0 && isDialogEntry()) void goBack();
}

function goBack(): Promise<void> {
  if (!leaving) {
    leaving = Promise.withResolvers();
    history.back();
  }
  return leaving.promise;
}
