import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PageAssets, PageData, PageRenderer } from '#contract/page.ts';
import type { Inline } from '../http/headers.ts';

/** The pages: the built browser code, or its sources during development. */
export interface WebBuild {
  load: PageRenderer['loadPage'];
  /** Makes the whole HTML document of a page, in parts. */
  render(data: PageData, path: string): readonly string[] | Promise<readonly string[]>;
  securedPaths: readonly string[];
  /** For the content security policy; undefined when it cannot be known. */
  inline: Inline | undefined;
  /** The folder with everything the browser may fetch; undefined when something else serves it. */
  folder: string | undefined;
}

interface ManifestEntry {
  file: string;
  css?: string[];
  /** The keys of the statically imported files. */
  imports?: string[];
  isEntry?: boolean;
}

const dist = new URL('../../dist/', import.meta.url);

export async function loadWebBuild(): Promise<WebBuild> {
  const renderer = (await import(new URL('ssr/entry-server.js', dist).href)) as PageRenderer;
  const manifest = JSON.parse(await readFile(new URL('web/.vite/manifest.json', dist), 'utf8')) as Record<
    string,
    ManifestEntry
  >;
  // The page names all of them, so that the browser fetches them in parallel.
  const withImports = (part: ManifestEntry): ManifestEntry[] => [
    part,
    ...(part.imports ?? []).flatMap((key) => withImports(manifest[key]!)),
  ];
  const assetsOf = async (files: readonly ManifestEntry[]): Promise<PageAssets> => ({
    scripts: files.map(({ file }) => `/${file}`),
    styles: await Promise.all(
      files
        .flatMap(({ css = [] }) => css)
        .map(async (file) => ({ address: `/${file}`, text: await readFile(new URL(`web/${file}`, dist), 'utf8') })),
    ),
  });
  const first = withImports(Object.values(manifest).find(({ isEntry }) => isEntry)!);
  const parts: Record<string, PageAssets> = {};
  for (const source of renderer.pageParts) {
    parts[source] = await assetsOf([...new Set([...first, ...withImports(manifest[source]!)])]);
  }
  const assets = { ...(await assetsOf([...new Set(first)])), parts };
  const styles = new Set([assets, ...Object.values(parts)].flatMap((some) => some.styles.map(({ text }) => text)));
  return {
    load: renderer.loadPage,
    render: (data, path) => renderer.renderDocument(data, assets, path),
    securedPaths: renderer.securedPaths,
    inline: { scripts: renderer.inlineScripts, styles: [...styles] },
    folder: fileURLToPath(new URL('web/', dist)),
  };
}
