import type { PublicUser } from './account.ts';
import type { Post, PostPage } from './posts.ts';

/** The settings the browser needs. They arrive in the page's data block; none is written twice. */
export interface ClientSettings {
  appName: string;
  /** Where the wall lives, without a trailing slash: canonical addresses start with it. */
  publicUrl: string;
  editWindowSeconds: number;
  codeResendSeconds: number;
}

/** What a route shows on arrival. The server finds it for the first page, the browser for every later one. */
export type PageContent =
  | { kind: 'feed'; page: PostPage }
  | { kind: 'post'; post: Post; replies: PostPage }
  | { kind: 'post-not-found' }
  | { kind: 'user'; user: PublicUser; page: PostPage }
  /** A page for signed-in people: what it shows comes later, by calls of theirs. */
  | { kind: 'secured' }
  | { kind: 'email-undo' }
  | { kind: 'not-found' };

/** The page's data block: with it the browser renders exactly what the server rendered. */
export interface PageData {
  settings: ClientSettings;
  /** The moment the page was made, unix seconds on the server's clock. */
  madeAt: number;
  /** How far in the wall's changes it goes; what came later is told by events. */
  position: string;
  content: PageContent;
}

/** Where the built browser code lies, as addresses. */
export interface PageAssets {
  scripts: readonly string[];
  styles: readonly string[];
}

/** What the web build gives the server: `dist/ssr/entry-server.js` exports exactly this. */
export interface PageRenderer {
  /** The whole HTML document, doctype included. The same bytes serve everyone. */
  renderDocument(data: PageData, assets: PageAssets, path: string): string;
  /** The texts of the document's inline scripts, for the content security policy's hashes. */
  inlineScripts: readonly string[];
}

/** Where a change of an account's address is undone by a mailed link, whose token follows in the query. */
export const undoPath = '/undo-email';

/** What came of it, each a page below `undoPath`. */
export const undoOutcomes = ['done', 'used', 'expired', 'unknown'] as const;
export type UndoOutcome = (typeof undoOutcomes)[number];

/** The id of the data block in the document. */
export const pageDataId = 'page-data';

/** What the wall says of itself where it is listed or shared. */
export const wallSummary = 'Лента коротких записей: читайте, отвечайте, пишите свои.';

export const userSummary = (username: string): string => `Записи пользователя ${username}.`;

/** '{title} - {app name}', equal parts once. */
export function documentTitle(title: string, appName: string): string {
  return title === '' || title === appName ? appName : `${title} - ${appName}`;
}
