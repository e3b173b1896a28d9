import { loadWhenIdle, namedOnDemand } from '../../../lib/on-demand.ts';
import { acting } from '../../shortcuts/press-shortcut.ts';

/** Loaded on demand: reading does not need it. */
export const postForm = namedOnDemand(() => import('./post-form.tsx'), 'PostForm');

export const inlineReplyForm = namedOnDemand(() => import('./inline-reply-form.tsx'), 'InlineReplyForm');

const idleWithinMs = 2_000;

/** Loads ahead what signed-in people need, so that dialogs and shortcuts work at the first click or key. */
export const fetchWritingAhead = (): Promise<void> => loadWhenIdle(idleWithinMs, postForm, inlineReplyForm, acting);
