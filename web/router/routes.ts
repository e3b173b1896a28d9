import { undoOutcomes, undoPath, type UndoOutcome } from '#contract/page.ts';

/** Views of the wall that are a signed-in person's own. */
export interface OwnViewRoute {
  name: 'liked' | 'own-posts' | 'own-replies';
}

/** Lists that are a signed-in person's own. */
export type PersonalRoute = OwnViewRoute | { name: 'answers' };

/** Pages about one's own account and devices. */
export interface SettingsRoute {
  name:
    | 'settings'
    | 'settings-email'
    | 'settings-username'
    | 'settings-deletion'
    | 'settings-devices'
    | 'settings-muted';
}

export type SecuredRoute = PersonalRoute | SettingsRoute;

/** The page of a mailed link that undoes a change of an account's address; `null` before its button is pressed. */
export interface EmailUndoRoute {
  name: 'email-undo';
  outcome: UndoOutcome | null;
}

export type Route =
  | { name: 'feed' }
  | { name: 'post'; id: string }
  | { name: 'user'; username: string }
  | SecuredRoute
  | EmailUndoRoute
  | { name: 'not-found' };

const personal: ReadonlySet<string> = new Set<PersonalRoute['name']>(['liked', 'own-posts', 'own-replies', 'answers']);

/** Every address of the app. */
const table: readonly [pattern: RegExp, route: (parameter: string) => Route][] = [
  [/^\/$/, () => ({ name: 'feed' })],
  [/^\/posts\/([^/]+)$/, (id) => ({ name: 'post', id })],
  [/^\/users\/([^/]+)$/, (username) => ({ name: 'user', username })],
  [/^\/liked$/, () => ({ name: 'liked' })],
  [/^\/own\/posts$/, () => ({ name: 'own-posts' })],
  [/^\/own\/replies$/, () => ({ name: 'own-replies' })],
  [/^\/answers$/, () => ({ name: 'answers' })],
  [new RegExp(`^${undoPath}$`), () => ({ name: 'email-undo', outcome: null })],
  [
    new RegExp(`^${undoPath}/(${undoOutcomes.join('|')})$`),
    (outcome) => ({ name: 'email-undo', outcome: outcome as UndoOutcome }),
  ],
  [/^\/settings$/, () => ({ name: 'settings' })],
  [/^\/settings\/account\/email$/, () => ({ name: 'settings-email' })],
  [/^\/settings\/account\/username$/, () => ({ name: 'settings-username' })],
  [/^\/settings\/account\/deletion$/, () => ({ name: 'settings-deletion' })],
  [/^\/settings\/devices$/, () => ({ name: 'settings-devices' })],
  [/^\/settings\/muted$/, () => ({ name: 'settings-muted' })],
];

export function matchRoute(pathname: string): Route {
  for (const [pattern, route] of table) {
    const match = pattern.exec(pathname);
    if (match) return route(decoded(match[1] ?? ''));
  }
  return { name: 'not-found' };
}

export function isPersonal(route: Route): route is PersonalRoute {
  return personal.has(route.name);
}

/** Whether one must be signed in to be there. */
export function isSecured(route: Route): route is SecuredRoute {
  return isPersonal(route) || route.name.startsWith('settings');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
