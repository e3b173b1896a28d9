import { listen } from '../../../lib/listen.ts';

/**
 * Fits a dialog into the part of the window that is not covered by the keyboard, until the returned function is called.
 * Safari lays the keyboard over the page and changes only `visualViewport`; the other browsers make the page smaller, as
 * the document asks for with `interactive-widget`.
 */
export function fitAboveKeyboard({ style }: HTMLElement): () => void {
  const { visualViewport: viewport } = window;
  if (!viewport) return () => {};

  const fit = () => {
    // Zoomed in, the reader moves the visible part over the dialog.
    if (viewport.scale > 1.01) return release();
    style.setProperty('--free-height', `${viewport.height}px`);
    style.setProperty('--free-top', `${viewport.offsetTop}px`);
  };
  const release = () => {
    style.removeProperty('--free-height');
    style.removeProperty('--free-top');
  };

  fit();
  const stopFollowing = listen(viewport, ['resize', 'scroll'], fit);
  return () => {
    stopFollowing();
    release();
  };
}
