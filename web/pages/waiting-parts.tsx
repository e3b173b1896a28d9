import type { PendingPost } from '#contract/posts.ts';
import { heldPosts } from '../features/posts/store/viewer-counts.ts';
import { useSessionState, useSignedInPart } from '../features/session/session.ts';
import { useClientSettings } from '../lib/client-settings.ts';
import { useObservable } from '../lib/observable.ts';
import { namedOnDemand, useOnDemand } from '../lib/on-demand.ts';
import styles from './waiting-parts.module.css';

const list = namedOnDemand(() => import('./waiting-posts.tsx'), 'WaitingPosts');

/** Loads and shows the list of newcomers' first posts that wait for a reply. */
export function Waiting({ isBeside }: { isBeside?: true }) {
  const { thing: WaitingPosts } = useSignedInPart(list);
  return WaitingPosts && <WaitingPosts isBeside={isBeside} />;
}

const aboveFeed = namedOnDemand(() => import('./above-feed.tsx'), 'AboveFeed');

/** The cards above the posts that only this reader sees. Until they are loaded, a script in <head> reserves their height. */
export function AboveFeedPlace() {
  const { thing: AboveFeed } = useSignedInPart(aboveFeed);
  return <div className={styles.above}>{AboveFeed && <AboveFeed />}</div>;
}

// This list shares code with the form of a post, which is not part of the first load.
const pendingPosts = namedOnDemand(() => import('../features/posts/compose/pending-posts.tsx'), 'PendingPosts');

/** The reader's own posts that wait for a moderator, above a list. If new people's posts do not wait on this wall, nothing is requested. */
export function OwnPending({ which }: { which: (post: PendingPost) => boolean }) {
  const { hasGate } = useClientSettings();
  const held = useObservable(heldPosts);
  const isAsked = useSessionState().is === 'authorized' && (hasGate === true || held > 0);
  const { thing: PendingPosts } = useOnDemand(pendingPosts, isAsked);
  return isAsked && PendingPosts && <PendingPosts which={which} />;
}
