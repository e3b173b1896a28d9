import type { CallEndpoint } from './endpoint.ts';

/** The settings the browser needs. They arrive in the page's data block. */
export interface ClientSettings {
  appName: string;
  /** The address of the wall without a trailing slash. Canonical addresses start with it. */
  publicUrl: string;
  editWindowSeconds: number;
  codeResendSeconds: number;
}

/** The page's data block: with it the browser renders exactly what the server rendered. */
export interface PageData {
  settings: ClientSettings;
  /** When the page was made, unix seconds on the server's clock. */
  madeAt: number;
  /** The position in the wall's changes up to which the page is complete; events tell what came later. */
  position: string;
  /** What the page's `load` found, as `loadPage` gave it. */
  content: unknown;
}

/** The addresses of the built browser code. */
export interface PageAssets {
  scripts: readonly string[];
  styles: readonly string[];
  /** The assets of pages that need more than the others, by the source of that code. */
  parts?: Readonly<Record<string, PageAssets>>;
}

interface LoadedPage {
  /** Whether the address leads to anything. */
  exists: boolean;
  /** Read by the web bundle only; null for a missing page and for a page for signed-in people. */
  content: unknown;
  /** The address to go to instead. */
  movedTo?: string | undefined;
}

/** What the web build gives the server: `dist/ssr/entry-server.js` exports exactly this. */
export interface PageRenderer {
  /** Runs the `load` of the page at a path. The cursor says where its list begins. */
  loadPage(path: string, cursor: string | undefined, call: CallEndpoint): Promise<LoadedPage>;
  /** The whole HTML document, doctype included. The same bytes serve everyone. */
  renderDocument(data: PageData, assets: PageAssets, path: string): string;
  /** The paths of the pages that only signed-in people see. */
  securedPaths: readonly string[];
  /** The texts of the document's inline scripts, for the content security policy's hashes. */
  inlineScripts: readonly string[];
}

/** The id of the data block in the document. */
export const pageDataId = 'page-data';

/** The description of the wall where it is listed or shared. */
export const wallSummary = 'Лента коротких записей: читайте, отвечайте, пишите свои.';

export const userSummary = (username: string): string => `Записи пользователя ${username}.`;

/** '{title} - {app name}', equal parts once. */
export function documentTitle(title: string, appName: string): string {
  return title === '' || title === appName ? appName : `${title} - ${appName}`;
}
