import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PageAssets, PageData, PageRenderer } from '#contract/page-data.ts';
import type { Inline } from '../http/headers.ts';

/** Renders pages from the built web app or, during development, from its sources. */
export interface WebBuild {
  load: PageRenderer['loadPage'];
  /** Makes the whole HTML of a page, in parts. */
  render(data: PageData, path: string): readonly string[] | Promise<readonly string[]>;
  personal: PageRenderer['personal'];
  paths: readonly string[];
  securedPaths: readonly string[];
  /** For the content security policy; undefined when it cannot be known. */
  inline: Inline | undefined;
  /** The folder with everything the browser may fetch; undefined when something else serves it. */
  folder: string | undefined;
}

interface ManifestEntry {
  name?: string;
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
  const styles = await stylesOf(css);
  const scripts = [`/${script}`];
  const hidden = JSON.parse(await readFile(new URL('web/.vite/hidden-words.json', dist), 'utf8')) as typeof manifest;
  const hiddenWords = `/${Object.values(hidden)[0]!.file}`;
  const assets: PageAssets = { scripts, styles, linked: [], ahead: [], late: [], hiddenWords };
  // The second of the two style sheets is that of posts.
  const withoutPosts: PageAssets = {
    scripts,
    styles: styles.slice(0, 1),
    linked: [],
    ahead: [],
    late: styles.slice(1).map(({ address }) => address),
    hiddenWords,
  };
  // Pages made for one visitor or person need the part `forms` of the build. Most of them need further parts.
  const withPart = async (before: PageAssets, part: string): Promise<PageAssets> => {
    const built = Object.values(manifest).find(({ name }) => name === part);
    if (!built) return before;
    return {
      ...before,
      styles: [...before.styles, ...(await stylesOf(built.css ?? []))],
      ahead: [...before.ahead, `/${built.file}`],
    };
  };
  const forms = await withPart(await withPart(withoutPosts, 'forms'), 'fields');
  // With the styles of their parts inside them, the pages of members would not fit into the first flight of TCP.
  const linking = async (part: string, before = forms): Promise<PageAssets> => {
    const { styles: all, ...after } = await withPart(before, part);
    const { length } = before.styles;
    return {
      ...after,
      styles: before.styles,
      linked: [...before.linked, ...all.slice(length).map(({ address }) => address)],
    };
  };
  const names = await linking('names');
  const settings = await linking('settings', names);
  // Keepers see the posts that they decide about, whatever words these have.
  const { hiddenWords: _, ...forKeepers } = names;
  const desk = await linking('desk', forKeepers);
  const wall = await linking('wall', desk);
  // Lists and settings have words that a person has chosen.
  const ofLists = await linking('lists', await linking('settings'));
  const lists: PageAssets = { ...ofLists, linked: [...withoutPosts.late, ...ofLists.linked], late: [] };
  /** An invitation has the sign of the wall, as the feed has. */
  const ofJoin = await linking('join');
  const join: PageAssets = { ...ofJoin, linked: [...withoutPosts.late, ...ofJoin.linked], late: [] };
  /** Pages without data ask visitors to sign in. */
  const asking: PageAssets = { ...assets, ahead: (await withPart(assets, 'forms')).ahead };
  const parts = { forms, join, settings, desk, wall, lists };
  const assetsOf = (data: PageData, path: string): PageAssets =>
    data.person ? parts[renderer.personal.partOf(path)] : data.content ? assets : asking;
  return {
    load: renderer.loadPage,
    render: (data, path) => renderer.renderPage(data, assetsOf(data, path), path),
    personal: renderer.personal,
    paths: renderer.paths,
    securedPaths: renderer.securedPaths,
    inline: {
      scripts: renderer.inlineScripts,
      styles: [...new Set([assets, ...Object.values(parts)].flatMap((part) => part.styles.map(({ text }) => text)))],
    },
    folder: fileURLToPath(new URL('web/', dist)),
  };
}

const stylesOf = (files: readonly string[]) =>
  Promise.all(
    files.map(async (file) => ({ address: `/${file}`, text: await readFile(new URL(`web/${file}`, dist), 'utf8') })),
  );
