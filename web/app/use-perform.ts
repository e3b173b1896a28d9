import { useCallback, useEffect, useRef } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Action, Perform } from '../features/session/actions.ts';
import { type SessionState, useSession, useSessionState } from '../features/session/session.ts';
import { closeLayer, closedStep, openedLayer, openLayer, openStep, storedStep } from '../lib/layers.ts';
import { whenIdle } from '../lib/waits.ts';
import { signInPage } from '../pages/open-pages.ts';
import { matchPage } from '../pages/pages.ts';
import { storeWantedAct } from './wanted-act.ts';

/** The sign-in page is loaded within this time, after the code that reading needs. */
const idleWithinMs = 3_000;

const at = (href: string): URL => new URL(href, location.origin);

const isSignIn = (href: string): boolean => at(href).pathname === addresses.signIn.path;

/** The address of the sign-in for an action. It leads on to the wanted page, or to this page with the wanted layer. It performs no act. */
function signInFor(action: Action): string {
  const here = location.pathname + location.search;
  const over = (layer: string): string => {
    const url = at(here);
    url.searchParams.set('layer', layer);
    return url.pathname + url.search;
  };
  const to = (next: string, more = {}): string => addresses.signIn.href({}, { next, ...more });
  if (action.kind === 'visit') return to(action.path ?? here);
  return action.kind === 'layer' ? to(over(action.href)) : to(here, { for: action.kind });
}

/** Opens the sign-in. If it was closed at the step with the code it opens there, because the server would not send another code for a minute. */
function openSignIn(href: string): void {
  const closed = closedStep();
  const url = at(closed?.href ?? href);
  if (!closed || !isSignIn(closed.href) || !url.searchParams.has('code')) return openLayer(href);
  const { searchParams: wanted } = at(href);
  url.searchParams.set('next', wanted.get('next')!);
  url.searchParams.delete('for');
  openStep(url.pathname + url.search, closed.fields);
}

/** Reads the wanted layer from the address and removes it there, so that a reload does not open it again. */
function takeWanted(): string | null {
  const url = new URL(location.href);
  const href = url.searchParams.get('layer');
  if (href === null) return null;
  url.searchParams.delete('layer');
  history.replaceState(history.state, '', url);
  return href;
}

/** Whether a page of forms has this address, which may come from a foreign link. The sign-in is excluded, because it leads on to any page. */
function isLayer(href: string): boolean {
  if (!URL.canParse(href, location.origin) || isSignIn(href)) return false;
  const { origin, pathname } = at(href);
  return origin === location.origin && matchPage(pathname).page.module !== undefined;
}

/** Returns `perform`, which asks visitors to sign in first, in a layer. `onAllowed` performs an action of a signed-in person. */
export function usePerformer(onAllowed: (action: Action) => void): Perform {
  const session = useSession();
  const { is } = useSessionState();

  /** The actions that wait until the session is known. Nothing shows that they wait, so a repeated tap must not add one. */
  const waiting = useRef(new Set<string>());
  const wanted = useRef<string | null>(null);

  const perform = useCallback(
    (action: Action) => {
      const act = (state: SessionState) => {
        if (state.is === 'authorized') return onAllowed(action);
        // The dialog about the block is open or about to open, and no other dialog may cover it.
        if (state.is === 'signed-out' && state.blocked !== undefined && !state.isTold) return;
        storeWantedAct(action);
        openSignIn(signInFor(action));
      };
      const state = session.state.get();
      // Synchronously if possible: phones only show their keyboard directly after a tap.
      if (state.is !== 'authorizing') return act(state);
      const key = JSON.stringify(action);
      if (waiting.current.has(key)) return;
      waiting.current.add(key);
      void session
        .known()
        .then(act)
        .finally(() => waiting.current.delete(key));
    },
    [session, onAllowed],
  );

  useEffect(() => {
    if (is !== 'signed-out') return undefined;
    // If the load fails, the page is loaded when the layer opens.
    const loadAhead = () => void signInPage.prefetch!().catch(() => {});
    void whenIdle(idleWithinMs).then(loadAhead);
    addEventListener('pointerdown', loadAhead, { once: true });
    return () => removeEventListener('pointerdown', loadAhead);
  }, [is]);

  useEffect(() => {
    // This effect runs after that of the router, which finds the reader's position by the unchanged address.
    wanted.current ??= takeWanted();
  }, []);

  useEffect(() => {
    const step = storedStep();
    // After a reload the layer opens at the step where it was.
    if (step && is === (isSignIn(step.href) ? 'signed-out' : 'authorized')) openLayer(step.href);
  }, [is]);

  useEffect(() => {
    if (is !== 'authorized') return;
    const asked = openedLayer.get()?.href;
    // The sign-in is still open here because the person has signed in in another tab.
    if (asked !== undefined && isSignIn(asked)) {
      closeLayer();
      const next = at(at(asked).searchParams.get('next') ?? '/');
      wanted.current = next.searchParams.get('layer');
      if (next.pathname !== location.pathname) location.assign(next);
    }
    const href = wanted.current;
    wanted.current = null;
    if (href !== null && isLayer(href)) openLayer(href);
  }, [is]);

  return perform;
}
