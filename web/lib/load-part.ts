/**
 * The build replaces Vite's preload helper with this function: every `import()` calls it with the files it needs.
 *
 * A browser never requests a module again that has failed to load, nor a module that imports it, until the page is
 * reloaded. A stylesheet that has failed counts as loaded. A fetch can be repeated, so each file is fetched first; the
 * import then finds it in the browser's cache.
 */
export async function loadPart<Part>(importPart: () => Promise<Part>, files: readonly string[] = []): Promise<Part> {
  const addresses = files.map((file) => `/${file}`).filter((address) => !isInDocument(address));
  await Promise.all(addresses.map(fetchFile));
  await Promise.all(addresses.filter((address) => address.endsWith('.css')).map(applyStyles));
  return importPart();
}

/** The document may contain a stylesheet from the start. */
const isInDocument = (address: string): boolean => document.querySelector(`[data-file="${address}"]`) !== null;

async function fetchFile(address: string): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  // The browser caches only responses that were read to the end.
  await response.arrayBuffer();
}

const applied = new Map<string, Promise<void>>();

function applyStyles(address: string): Promise<void> {
  let applying = applied.get(address);
  if (!applying) {
    applying = new Promise((resolve, reject) => {
      const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address });
      link.addEventListener('load', () => resolve());
      link.addEventListener('error', () => {
        applied.delete(address);
        link.remove();
        reject(new Error(address));
      });
      document.head.append(link);
    });
    applied.set(address, applying);
  }
  return applying;
}

export { loadPart as __vitePreload };
