import { addresses, type DocumentName } from '#contract/addresses.ts';
import { getDocument, type WallDocument } from '#contract/documents.ts';
import type { Page } from '../router/page.ts';
import { DocumentSkeleton } from '../features/documents/document-skeleton.tsx';
import { DocumentText } from '../features/documents/document-text.tsx';
import { notFound } from './not-found.tsx';

/** A text of the operator: about the wall, its rules, privacy, consent. */
export const wallDocument: Page<{ name: DocumentName }, { document: WallDocument }> = {
  address: addresses.wallDocument,
  access: 'public',
  load: async ({ name }, { call, signal }) => ({ document: await call(getDocument, { params: { name }, signal }) }),
  missing: notFound,
  describe: (_, shown) => ({ heading: shown?.document.title ?? '' }),
  skeleton: <DocumentSkeleton />,
  Component: DocumentText,
};
