type Area = 'localStorage' | 'sessionStorage';

/** Reads a stored value. Where the browser denies access to storage nothing is stored, and everything else works. */
export function readStored(area: Area, key: string): string | null {
  // On the server an error takes as long as two posts take to render.
  if (typeof window === 'undefined') return null;
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

export function writeStored(area: Area, key: string, value: string): void {
  try {
    window[area].setItem(key, value);
  } catch {
    // The value lasts until the page is left.
  }
}

export function removeStored(area: Area, key: string): void {
  try {
    window[area].removeItem(key);
  } catch {
    // Nothing was stored.
  }
}

export function removeAllStored(area: Area, prefix: string): void {
  try {
    for (const key of Object.keys(window[area])) if (key.startsWith(prefix)) window[area].removeItem(key);
  } catch {
    // Nothing was stored.
  }
}

/** Calls the listener when another tab may have changed the value, also while this page was in the back-forward cache. */
export function onStoredElsewhere(key: string, listener: () => void): void {
  addEventListener('storage', (event) => {
    // The key is null when everything was removed.
    if (event.key === key || event.key === null) listener();
  });
  addEventListener('pageshow', (event) => {
    if (event.persisted) listener();
  });
}
