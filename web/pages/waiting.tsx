import { useSignedInPart } from '../features/session/use-signed-in-part.ts';
import { onDemand } from '../lib/on-demand.ts';

const list = onDemand(async () => (await import('./waiting-posts.tsx')).WaitingPosts);

/** The place of the first posts of newcomers that wait for a reply. */
export function Waiting({ isBeside }: { isBeside?: true }) {
  const { thing: WaitingPosts } = useSignedInPart(list);
  return WaitingPosts && <WaitingPosts isBeside={isBeside} />;
}
