import { useBeside } from '../../features/posts/store/beside.ts';
import { hasRightColumn } from '../../features/posts/store/fetch-post-page.ts';

/** A page that came without the content of the right column asks for it, where there is room. */
export function AskBeside(): null {
  useBeside(hasRightColumn());
  return null;
}
