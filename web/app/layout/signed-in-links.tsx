import { namedOnDemand } from '../../lib/on-demand.ts';
import { useSignedInPart } from '../../features/session/use-signed-in-part.ts';
import type { LinksProps } from '../signed-in/links.tsx';

const links = namedOnDemand(() => import('../signed-in/links.tsx'), 'Links');

/** The links of the rail and the bottom bar that not everybody has. */
export function SignedInLinks(props: LinksProps) {
  const { thing: Links } = useSignedInPart(links);
  return Links && <Links {...props} />;
}
