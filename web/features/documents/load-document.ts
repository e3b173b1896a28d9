import type { DocumentName } from '#contract/addresses.ts';
import { getDocument, type WallDocument } from '#contract/documents.ts';
import type { CallEndpoint } from '#contract/endpoint.ts';

interface DocumentRequest {
  call: CallEndpoint;
  signal: AbortSignal;
}

export async function loadDocument(
  name: DocumentName,
  { call, signal }: DocumentRequest,
): Promise<{ document: WallDocument }> {
  return { document: await call(getDocument, { params: { name }, signal }) };
}
