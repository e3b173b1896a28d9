/** The places of the archive, as parts of an address after `#`. */
export const placeOf = {
  feed: '#',
  post: (id: string) => `#post=${id}`,
  person: (id: string) => `#person=${id}`,
  search: (query: string) => `#search=${encodeURIComponent(query)}`,
};

/** The kind of a place and the id or the query in it. Any other kind than those above is the feed. */
export function readPlace(hash: string): readonly [kind: string, of: string] {
  const [place] = new URLSearchParams(hash.slice(1));
  return place ?? ['feed', ''];
}
