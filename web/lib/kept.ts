type Area = 'localStorage' | 'sessionStorage';

/** What the browser, or the tab alone, keeps for us. Where storage is barred nothing is kept and the rest works on. */
export function kept(area: Area, key: string): string | null {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

export function keep(area: Area, key: string, value: string): void {
  try {
    window[area].setItem(key, value);
  } catch {
    // It holds until the page is left.
  }
}

export function forget(area: Area, key: string): void {
  try {
    window[area].removeItem(key);
  } catch {
    // There was nothing to forget.
  }
}

/** Everything whose key begins so. */
export function forgetAll(area: Area, beginning: string): void {
  try {
    for (const key of Object.keys(window[area])) if (key.startsWith(beginning)) window[area].removeItem(key);
  } catch {
    // There was nothing to forget.
  }
}

/** Tells that another tab may have kept or forgotten it, also while this page lay in the browser's back-forward cache. */
export function onKeptElsewhere(key: string, look: () => void): void {
  addEventListener('storage', (event) => {
    // A null key: everything was removed.
    if (event.key === key || event.key === null) look();
  });
  addEventListener('pageshow', (event) => {
    if (event.persisted) look();
  });
}
