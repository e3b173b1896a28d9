/**
 * The build replaces Vite's preload helper with this function: every `import()` calls it with the files it needs.
 *
 * A browser never requests a module again that has failed to load, nor a module that imports it, until the page is
 * reloaded. A stylesheet that has failed counts as loaded. A fetch can be repeated, so each file is fetched first; the
 * import then finds it in the browser's cache.
 */
export async function loadPart<Part>(importPart: () => Promise<Part>, files: readonly string[] = []): Promise<Part> {
  const addresses = files.map((file) => `/${file}`);
  await Promise.all(addresses.map(fetchFile));
  await Promise.all(addresses.filter((address) => address.endsWith('.css')).map(applyStyles));
  return importPart();
}

async function fetchFile(address: string): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  // The browser caches only responses that were read to the end.
  await response.arrayBuffer();
}

const applied = new Map<string, Promise<void>>();

function applyStyles(address: string): Promise<void> {
  let applying = applied.get(address);
  // The document may have it from the start.
  if (!applying && !document.querySelector(`head > [href="${address}"]`)) {
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
  return applying ?? Promise.resolve();
}

export { loadPart as __vitePreload };
