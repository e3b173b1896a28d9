import { useBeside } from '../../features/posts/store/beside.ts';
import { hasRightColumn } from '../../features/posts/store/fetch-post-page.ts';

/** Requests the content of the right column for a page that was loaded without it, if the window has room for it. */
export function AskBeside(): null {
  useBeside(hasRightColumn());
  return null;
}
