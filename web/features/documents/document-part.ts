export { DocumentSkeleton } from './document-skeleton.tsx';
export { DocumentText } from './document-text.tsx';
export { loadDocument } from './load-document.ts';
