import { createRequiredContext } from '../../lib/required-context.ts';
import type { PostListId } from '../posts/store/post-store.ts';

/** The list of results. */
export const [FoundListProvider, useFoundList] = createRequiredContext<PostListId>();
