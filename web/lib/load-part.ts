/**
 * The build replaces Vite's preload helper with this function: every `import()` calls it with the files it needs.
 *
 * A browser never requests a module again that has failed to load, nor a module that imports it, until the page is
 * reloaded. A stylesheet that has failed counts as loaded. A fetch can be repeated, so each file is fetched first; the
 * import then finds it in the browser's cache.
 */
export async function loadPart<Part>(importPart: () => Promise<Part>, files: readonly string[] = []): Promise<Part> {
  await Promise.all(files.map((file) => `/${file}`).map(loadOnce));
  return importPart();
}

const loaded = new Map<string, Promise<void>>();

/** Loads a file once, although several parts may need it. */
function loadOnce(address: string): Promise<void> {
  let loading = loaded.get(address);
  if (!loading) {
    loading = isInDocument(address) ? Promise.resolve() : load(address);
    loaded.set(address, loading);
    loading.catch(() => loaded.delete(address));
  }
  return loading;
}

/** Whether the document contains the stylesheet from the start. */
const isInDocument = (address: string): boolean => document.querySelector(`[data-file="${address}"]`) !== null;

async function load(address: string): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  // The browser caches only responses that were read to the end.
  await response.arrayBuffer();
  if (address.endsWith('.css')) await applyStyles(address);
}

/**
 * While a stylesheet that applies to the page is loading, WebKit makes no boxes for new elements: a windowed list would
 * measure its rows as empty and scroll past them. So it applies once it is loaded.
 */
function applyStyles(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address, media: 'not all' });
    link.addEventListener('load', () => {
      // A change of the attribute would load it again in WebKit.
      link.sheet!.media.mediaText = 'all';
      resolve();
    });
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(address));
    });
    document.head.append(link);
  });
}

export { loadPart as __vitePreload };
