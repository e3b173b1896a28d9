import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PageData, PageRenderer } from '#contract/page.ts';

/** Makes the whole HTML document of a page. */
export type RenderPage = (data: PageData, path: string) => string | Promise<string>;

/** What the pages are made with: the built browser code, or its sources while developing. */
export interface WebBuild {
  render: RenderPage;
  /** For the content security policy; undefined when they cannot be known. */
  inlineScripts: readonly string[] | undefined;
  /** The folder with everything the browser may fetch; undefined when something else serves it. */
  folder: string | undefined;
}

interface ManifestEntry {
  file: string;
  css?: string[];
  /** What it cannot run without, by its key in the manifest. */
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
  // Named by the page, they come all at once instead of one after the other.
  const withImports = (part: ManifestEntry): ManifestEntry[] => [
    part,
    ...(part.imports ?? []).flatMap((key) => withImports(manifest[key]!)),
  ];
  const parts = [...new Set(withImports(entry))];
  const assets = {
    scripts: parts.map(({ file }) => `/${file}`),
    styles: parts.flatMap(({ css = [] }) => css.map((file) => `/${file}`)),
  };
  const renderer = (await import(new URL('ssr/entry-server.js', dist).href)) as PageRenderer;
  return {
    render: (data, path) => renderer.renderDocument(data, assets, path),
    inlineScripts: renderer.inlineScripts,
    folder: fileURLToPath(new URL('web/', dist)),
  };
}
