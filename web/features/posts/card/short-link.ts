/** Longer paths are cut. */
const pathLength = 16;

/** The parts of an address: its scheme, its host with the start of its path, and the rest. The host is never cut. */
export function shortLink(address: string): [scheme: string, shown: string, rest: string] {
  const [, scheme = '', host = '', path = ''] = /^(\w+:\/\/)([^/?#]*)(.*)$/s.exec(address) ?? [];
  // An ellipsis in place of one character saves nothing.
  const end = path.length > pathLength + 1 ? pathLength : path.length;
  return [scheme, host + path.slice(0, end), path.slice(end)];
}
