import { useSignedInPart } from '../features/session/use-signed-in-part.ts';
import { namedOnDemand } from '../lib/on-demand.ts';

const list = namedOnDemand(() => import('./waiting-posts.tsx'), 'WaitingPosts');

/** The place of the first posts of newcomers that wait for a reply. */
export function Waiting({ isBeside }: { isBeside?: true }) {
  const { thing: WaitingPosts } = useSignedInPart(list);
  return WaitingPosts && <WaitingPosts isBeside={isBeside} />;
}
