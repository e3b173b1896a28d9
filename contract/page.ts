import type { CallEndpoint } from './endpoint.ts';

/** The settings the browser needs. They arrive in the page's data block. */
export interface ClientSettings {
  appName: string;
  /** The address of the wall without a trailing slash. Canonical addresses start with it. */
  publicUrl: string;
  /** Where the people who keep the wall can be reached: a `mailto:` or `https:` URL. */
  contact: string;
  editWindowSeconds: number;
  codeResendSeconds: number;
  /** The hash of the consent that a registration needs, if the operator requires one. */
  consent?: string | undefined;
  /** The operator's own words about the wall, for first-time visitors. */
  intro?: string | undefined;
}

/** The page's data block, from which the browser renders the same HTML as the server. */
export interface PageData {
  settings: ClientSettings;
  /** When the page was made, unix seconds on the server's clock. */
  madeAt: number;
  /** The position in the change log up to which the page is complete. The event stream continues from it. */
  position: string;
  /** The result of `loadPage`. */
  content: unknown;
}

/** The built browser code. */
export interface PageAssets {
  /** Addresses. */
  scripts: readonly string[];
  /** The page contains the texts, so that nothing has to be fetched before the first paint. */
  styles: readonly { address: string; text: string }[];
}

export interface PageQuery {
  /** The list begins at this cursor. */
  cursor?: string | undefined;
  /** The query of the search. */
  q?: string | undefined;
  /** Why the page's posts are not read now. */
  refused?: string;
}

interface LoadedPage {
  /** Whether there is a page at the address. */
  exists: boolean;
  /** Read by the web bundle only; null for a missing page and for a page for signed-in people. */
  content: unknown;
  /** The address to redirect to. */
  movedTo?: string | undefined;
}

/** The HTML of a page in three parts. The one in the middle has the styles, and is the same string for all pages with the same assets. */
export type PageParts = readonly [before: string, shared: string, after: string];

/** The exports of the web build's server bundle, `dist/ssr/entry-server.js`. */
export interface PageRenderer {
  /** Runs the `load` of the page at a path. */
  loadPage(path: string, query: PageQuery, call: CallEndpoint): Promise<LoadedPage>;
  /** The whole HTML of the page, doctype included. The same bytes serve everyone. */
  renderPage(data: PageData, assets: PageAssets, path: string): PageParts;
  /** The paths of all pages, with the names of their parameters in braces. */
  paths: readonly string[];
  /** The paths of the pages for signed-in people. */
  securedPaths: readonly string[];
  /** The texts of the page's inline scripts, for the content security policy's hashes. */
  inlineScripts: readonly string[];
}

/** The id of the data block in the page. */
export const pageDataId = 'page-data';

/** The description of the wall in search results and link previews. */
export const wallSummary = 'Лента коротких записей: читайте, отвечайте, пишите свои.';

export const userSummary = (username: string): string => `Записи пользователя ${username}.`;

export const userRepliesSummary = (username: string): string => `Ответы пользователя ${username}.`;

/** '{title} - {app name}', or only the app's name if both are the same. */
export function pageTitle(title: string, appName: string): string {
  return title === '' || title === appName ? appName : `${title} - ${appName}`;
}
