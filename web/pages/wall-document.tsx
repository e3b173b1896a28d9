import { addresses, type DocumentName } from '#contract/addresses.ts';
import type { WallDocument } from '#contract/documents.ts';
import type { Page } from '../app/router/page.ts';
import { onDemand } from '../lib/on-demand.ts';
import { notFound } from './not-found.tsx';

const part = onDemand(() => import('../features/documents/document-part.ts'));

/** A text of the operator: about the wall, its rules, privacy, consent. */
export const wallDocument: Page<{ name: DocumentName }, { document: WallDocument }> = {
  address: addresses.wallDocument,
  access: 'public',
  load: async ({ name }, request) => (await part.load()).loadDocument(name, request),
  missing: notFound,
  describe: (_, shown) => ({ heading: shown?.document.title ?? '' }),
  skeleton: <Skeleton />,
  Component(shown) {
    const loaded = part.here();
    return loaded && <loaded.DocumentText {...shown} />;
  },
  part: 'web/features/documents/document-part.ts',
  prefetch: part.load,
};

function Skeleton() {
  const loaded = part.here();
  return loaded && <loaded.DocumentSkeleton />;
}
