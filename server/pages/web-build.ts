import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PageAssets, PageData, PageRenderer, PlainPages } from '#contract/page.ts';
import type { Inline } from '../http/headers.ts';

/** The pages: the built browser code, or its sources during development. */
export interface WebBuild {
  load: PageRenderer['loadPage'];
  /** Makes the whole HTML of a page, in parts; `plain` is the HTML of a plain page beside it. */
  render(data: PageData, path: string, plain?: string): readonly string[] | Promise<readonly string[]>;
  plain: PlainPages;
  paths: readonly string[];
  securedPaths: readonly string[];
  /** For the content security policy; undefined when it cannot be known. */
  inline: Inline | undefined;
  /** The folder with everything the browser may fetch; undefined when something else serves it. */
  folder: string | undefined;
}

interface ManifestEntry {
  file: string;
  css?: string[];
  isEntry?: boolean;
}

const dist = new URL('../../dist/', import.meta.url);

export async function loadWebBuild(): Promise<WebBuild> {
  const renderer = (await import(new URL('ssr/entry-server.js', dist).href)) as PageRenderer;
  const manifest = JSON.parse(await readFile(new URL('web/.vite/manifest.json', dist), 'utf8')) as Record<
    string,
    ManifestEntry
  >;
  const { file: script, css = [] } = Object.values(manifest).find(({ isEntry }) => isEntry)!;
  const styles = await Promise.all(
    css.map(async (file) => ({ address: `/${file}`, text: await readFile(new URL(`web/${file}`, dist), 'utf8') })),
  );
  const assets: PageAssets = { scripts: [`/${script}`], styles };
  return {
    load: renderer.loadPage,
    render: (data, path, plain) => renderer.renderPage(data, assets, path, plain),
    plain: renderer.plain,
    paths: renderer.paths,
    securedPaths: renderer.securedPaths,
    inline: { scripts: renderer.inlineScripts, styles: [...styles.map(({ text }) => text), renderer.plain.styles] },
    folder: fileURLToPath(new URL('web/', dist)),
  };
}
