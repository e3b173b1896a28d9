import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PageAssets, PageData, PageRenderer } from '#contract/page.ts';

/** The pages: the built browser code, or its sources during development. */
export interface WebBuild {
  load: PageRenderer['loadPage'];
  /** Makes the whole HTML document of a page. */
  render(data: PageData, path: string): string | Promise<string>;
  securedPaths: readonly string[];
  /** For the content security policy; undefined when they cannot be known. */
  inlineScripts: readonly string[] | undefined;
  /** The folder with everything the browser may fetch; undefined when something else serves it. */
  folder: string | undefined;
}

interface ManifestEntry {
  file: string;
  css?: string[];
  /** The keys of the files it imports statically. */
  imports?: string[];
  isEntry?: boolean;
  isDynamicEntry?: boolean;
}

const dist = new URL('../../dist/', import.meta.url);

export async function loadWebBuild(): Promise<WebBuild> {
  const manifest = JSON.parse(await readFile(new URL('web/.vite/manifest.json', dist), 'utf8')) as Record<
    string,
    ManifestEntry
  >;
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry)!;
  // The page names all of them, so that the browser fetches them at once and not one after the other.
  const withImports = (part: ManifestEntry): ManifestEntry[] => [
    part,
    ...(part.imports ?? []).flatMap((key) => withImports(manifest[key]!)),
  ];
  const assetsOf = (part: ManifestEntry, without: readonly ManifestEntry[] = []): PageAssets => {
    const files = [...new Set(withImports(part))].filter((file) => !without.includes(file));
    return {
      scripts: files.map(({ file }) => `/${file}`),
      styles: files.flatMap(({ css = [] }) => css.map((file) => `/${file}`)),
    };
  };
  const first = withImports(entry);
  const parts = Object.entries(manifest).filter(([, { isDynamicEntry }]) => isDynamicEntry);
  const assets = {
    ...assetsOf(entry),
    parts: Object.fromEntries(parts.map(([source, part]) => [source, assetsOf(part, first)])),
  };
  const renderer = (await import(new URL('ssr/entry-server.js', dist).href)) as PageRenderer;
  return {
    load: renderer.loadPage,
    render: (data, path) => renderer.renderDocument(data, assets, path),
    securedPaths: renderer.securedPaths,
    inlineScripts: renderer.inlineScripts,
    folder: fileURLToPath(new URL('web/', dist)),
  };
}
