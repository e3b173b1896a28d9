export type Route =
  | { name: 'feed' }
  | { name: 'post'; id: string }
  | { name: 'user'; username: string }
  | { name: 'settings' }
  | { name: 'not-found' };

/** Every address of the app. */
const table: readonly [pattern: RegExp, route: (parameter: string) => Route][] = [
  [/^\/$/, () => ({ name: 'feed' })],
  [/^\/posts\/([^/]+)$/, (id) => ({ name: 'post', id })],
  [/^\/users\/([^/]+)$/, (username) => ({ name: 'user', username })],
  [/^\/settings$/, () => ({ name: 'settings' })],
];

export function matchRoute(pathname: string): Route {
  for (const [pattern, route] of table) {
    const match = pattern.exec(pathname);
    if (match) return route(decoded(match[1] ?? ''));
  }
  return { name: 'not-found' };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
