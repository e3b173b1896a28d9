/**
 * The build puts this in the place of Vite's preload helper: every `import()` goes through it with the files it needs.
 *
 * A browser remembers that a module failed to load and never asks for that address again while the page lives, nor for a
 * module that imports it; a stylesheet that failed counts as there. A fetch may be repeated. So each file is fetched
 * first, and from there on it is in the browser's cache.
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
  // Read to the end, or it is not kept.
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
