import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PageData, PageRenderer } from '#contract/page.ts';
import type { Inline } from '../http/headers.ts';

/** The pages: the built browser code, or its sources during development. */
export interface WebBuild {
  load: PageRenderer['loadPage'];
  /** Makes the whole HTML document of a page. */
  render(data: PageData, path: string): string | Promise<string>;
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
  const manifest = JSON.parse(await readFile(new URL('web/.vite/manifest.json', dist), 'utf8')) as Record<
    string,
    ManifestEntry
  >;
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry)!;
  // The page names all of them, so that the browser fetches them in parallel.
  const withImports = (part: ManifestEntry): ManifestEntry[] => [
    part,
    ...(part.imports ?? []).flatMap((key) => withImports(manifest[key]!)),
  ];
  const parts = [...new Set(withImports(entry))];
  const assets = {
    scripts: parts.map(({ file }) => `/${file}`),
    styles: await Promise.all(
      parts.flatMap(({ css = [] }) => css.map((file) => readFile(new URL(`web/${file}`, dist), 'utf8'))),
    ),
  };
  const renderer = (await import(new URL('ssr/entry-server.js', dist).href)) as PageRenderer;
  return {
    load: renderer.loadPage,
    render: (data, path) => renderer.renderDocument(data, assets, path),
    securedPaths: renderer.securedPaths,
    inline: { scripts: renderer.inlineScripts, styles: assets.styles },
    folder: fileURLToPath(new URL('web/', dist)),
  };
}
