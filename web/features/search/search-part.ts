export { loadFound } from './load-found.ts';
export { SearchFrame } from './search-frame.tsx';
export { SearchResults } from './search-results.tsx';
