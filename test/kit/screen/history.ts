import type { Window } from 'happy-dom';

interface Entry {
  key: string;
  url: string;
  /** The state of `history` and that of `navigation`. */
  state: unknown;
  named: unknown;
}

type Kind = 'push' | 'replace' | 'traverse';

interface Move {
  kind: Kind;
  url: URL;
  sameDocument: boolean;
  /** The entry of a traversal. */
  entry?: Entry;
  state?: unknown;
}

/**
 * `history`, `navigation`, the clicks on links and the forms of a window, which happy-dom does not have. `onLoad` is called for a
 * navigation that nobody intercepts: a browser would load another document.
 */
export function addHistory(window: Window, onLoad: (url: string) => void): void {
  let count = 0;
  const entryFor = (url: string, state: unknown): Entry => ({
    key: `entry-${(count += 1)}`,
    url,
    state,
    named: undefined,
  });
  const entries: Entry[] = [entryFor(window.location.href, null)];
  let index = 0;
  const current = (): Entry => entries[index]!;
  const listeners = new window.EventTarget();
  const expose = (entry: Entry) => ({
    key: entry.key,
    url: entry.url,
    index: entries.indexOf(entry),
    getState: () => entry.named,
  });

  function commit({ kind, url, entry, state }: Move): void {
    if (kind === 'traverse') index = entries.indexOf(entry!);
    else if (kind === 'replace') Object.assign(current(), { url: url.href, state: state ?? null });
    else {
      entries.splice((index += 1));
      entries.push(entryFor(url.href, state ?? null));
    }
    window.happyDOM.setURL(current().url);
    listeners.dispatchEvent(new window.Event('currententrychange'));
    if (kind === 'traverse')
      window.dispatchEvent(Object.assign(new window.Event('popstate'), { state: current().state }));
  }

  function move(next: Move): void {
    const { kind, url, sameDocument, entry } = next;
    const here = new URL(window.location.href);
    const hashChange = url.hash !== here.hash && url.href.split('#')[0] === here.href.split('#')[0];
    let handler: (() => Promise<void>) | undefined;
    let isIntercepted = false;
    const event = Object.assign(new window.Event('navigate'), {
      navigationType: kind,
      canIntercept: url.origin === here.origin,
      hashChange,
      downloadRequest: null,
      formData: null,
      signal: new window.AbortController().signal,
      destination: {
        url: url.href,
        key: entry?.key ?? '',
        sameDocument: sameDocument || hashChange,
        getState: () => entry?.named,
      },
      intercept: (options: { handler?: () => Promise<void> }) => {
        isIntercepted = true;
        handler = options.handler;
      },
      scroll: () => {},
    });
    listeners.dispatchEvent(event);
    if (!isIntercepted && !sameDocument && !hashChange && kind !== 'traverse') return onLoad(url.href);
    commit(next);
    void handler?.();
  }

  const resolved = (address: string = window.location.href): URL => new URL(address, window.location.href);
  const traverse = (entry: Entry | undefined): void => {
    if (entry) window.setTimeout(() => move({ kind: 'traverse', url: new URL(entry.url), sameDocument: true, entry }));
  };
  const navigate = (address: string, wanted: Kind = 'push'): void => {
    const url = resolved(address);
    const kind = url.href === window.location.href ? 'replace' : wanted;
    // As a browser does, after the task that asks for it.
    window.setTimeout(() => move({ kind, url, sameDocument: false }));
  };
  const go = (steps: number): void => traverse(entries[index + steps]);
  const own = (target: object, properties: PropertyDescriptorMap): void =>
    void Object.defineProperties(target, properties);
  own(window.history, {
    state: { get: () => current().state },
    length: { get: () => entries.length },
    pushState: {
      value: (state: unknown, _: string, address?: string) =>
        move({ kind: 'push', url: resolved(address), sameDocument: true, state }),
    },
    replaceState: {
      value: (state: unknown, _: string, address?: string) =>
        move({ kind: 'replace', url: resolved(address), sameDocument: true, state }),
    },
    back: { value: () => go(-1) },
    forward: { value: () => go(1) },
    go: { value: go },
  });
  own(window.location, {
    assign: { value: (address: string) => navigate(address) },
    replace: { value: (address: string) => navigate(address, 'replace') },
    reload: { value: () => onLoad(window.location.href) },
  });
  own(window, {
    navigation: {
      value: Object.assign(listeners, {
        entries: () => entries.map(expose),
        navigate: (address: string, { history }: { history?: Kind } = {}) => navigate(address, history),
        traverseTo: (key: string) => traverse(entries.find((entry) => entry.key === key)),
        updateCurrentEntry: ({ state }: { state: unknown }) => void (current().named = state),
      }),
    },
  });
  own(listeners, { currentEntry: { get: () => expose(current()) } });

  // The window's own loading of links would begin before its listeners hear of the click.
  Object.assign(window, { open: () => null });
  // On the window, after the app's own listeners.
  window.addEventListener('click', (event) => {
    const link = (event.target as unknown as Element).closest('a[href]');
    if (!link || event.defaultPrevented) return;
    event.preventDefault();
    if (link.hasAttribute('target') || link.hasAttribute('download')) return;
    navigate(link.getAttribute('href')!);
  });
  // The form of a GET request, which nobody handles, leads to an address, too.
  window.addEventListener('submit', (event) => {
    const form = event.target as unknown as HTMLFormElement;
    if (event.defaultPrevented) return;
    event.preventDefault();
    const query = new URLSearchParams([...new window.FormData(form as never)] as Array<[string, string]>);
    navigate(`${form.getAttribute('action')}?${query}`);
  });
}
