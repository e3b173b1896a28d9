import type { PendingPost } from '#contract/posts.ts';
import { heldPosts } from '../features/posts/store/own-counts.ts';
import { useSessionState, useSignedInPart } from '../features/session/session.ts';
import { useClientSettings } from '../lib/client-settings.ts';
import { useObservable } from '../lib/observable.ts';
import { namedOnDemand, useOnDemand } from '../lib/on-demand.ts';
import styles from './waiting-parts.module.css';

const list = namedOnDemand(() => import('./waiting-posts.tsx'), 'WaitingPosts');

/** The place of the first posts of newcomers that wait for a reply. */
export function Waiting({ isBeside }: { isBeside?: true }) {
  const { thing: WaitingPosts } = useSignedInPart(list);
  return WaitingPosts && <WaitingPosts isBeside={isBeside} />;
}

const aboveFeed = namedOnDemand(() => import('./above-feed.tsx'), 'AboveFeed');

/** What only this reader sees above the posts. A script in <head> keeps its place until it is there. */
export function AboveFeedPlace() {
  const { thing: AboveFeed } = useSignedInPart(aboveFeed);
  return <div className={styles.above}>{AboveFeed && <AboveFeed />}</div>;
}

// It has code that writing needs as well, which is not part of the first load.
const pendingPosts = namedOnDemand(() => import('../features/posts/compose/pending-posts.tsx'), 'PendingPosts');

/** The reader's own posts that wait for a moderator, above a list. Without a gate nothing is asked for. */
export function OwnPending({ which }: { which: (post: PendingPost) => boolean }) {
  const { hasGate } = useClientSettings();
  const held = useObservable(heldPosts);
  const isAsked = useSessionState().is === 'authorized' && (hasGate === true || held > 0);
  const { thing: PendingPosts } = useOnDemand(pendingPosts, isAsked);
  return isAsked && PendingPosts && <PendingPosts which={which} />;
}
