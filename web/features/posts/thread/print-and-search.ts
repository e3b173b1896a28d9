import { listen } from '../../../lib/watch.ts';

interface PrintAndSearchOptions {
  /** Loads what is not loaded yet, up to the bound. Never fails. */
  loadWhole: () => Promise<void>;
  /** Does the same in microtasks only: browsers print as soon as the listener of `beforeprint` and its microtasks have run. */
  loadWholeNow: () => Promise<void>;
  /** Puts all loaded replies into the document, or only those near the window again. */
  showWhole: (isWhole: boolean) => void;
}

/**
 * Prints a discussion with the replies that were not loaded yet, and opens the browser's search with them. The search also finds replies
 * that are loaded while it is open.
 */
export function startPrintAndSearch({ loadWhole, loadWholeNow, showWhole }: PrintAndSearchOptions): () => void {
  const onKey = (event: KeyboardEvent) => {
    const isSearch = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.code === 'KeyF';
    if (!isSearch) return;
    showWhole(true);
    void loadWhole();
  };
  const onPrint = () => {
    showWhole(true);
    void loadWholeNow();
  };
  window.addEventListener('keydown', onKey);
  const stops = [
    () => window.removeEventListener('keydown', onKey),
    listen(window, ['beforeprint'], onPrint),
    listen(window, ['afterprint'], () => showWhole(false)),
  ];
  return () => stops.forEach((stop) => stop());
}
