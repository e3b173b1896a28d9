import { onDemand } from '../lib/on-demand.ts';

/** It comes with what tells of them. */
export const freshPosts = onDemand(async () => (await import('./fresh-posts.tsx')).FreshPosts);
