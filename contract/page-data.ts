import type { CurrentUser } from './account.ts';
import type { CallEndpoint } from './calls.ts';
import type { WallAdmin } from './wall-admin.ts';

/** The settings that the browser gets in the page's data block. */
export interface ClientSettings {
  appName: string;
  /** One line about the wall. */
  line?: string | undefined;
  /** The emoji that stands for the wall. */
  mark?: string | undefined;
  /** The version of the wall's own pictures, for their addresses; undefined if the pictures show bricks. */
  pictures?: string | undefined;
  /** The address of the wall without a trailing slash. Canonical addresses start with it. */
  publicUrl: string;
  /** The contact of the wall's keepers: a `mailto:` or `https:` URL; empty or undefined if none is set. */
  contact?: string | undefined;
  editWindowSeconds: number;
  codeResendSeconds: number;
  /** No mail server is set: letters are written to a folder, and the server prints the codes. */
  hasNoMail?: true | undefined;
  /** The hash of the consent that a registration needs, if the operator requires one. */
  consent?: string | undefined;
  /** The operator's own words about the wall, for first-time visitors. */
  intro?: string | undefined;
  /** Only members can read the wall. */
  isClosed?: true | undefined;
  /** Posts of newcomers wait for a moderator. */
  hasGate?: true | undefined;
  registration: WallAdmin['settings']['registration'];
}

/** Data in pages that are made for one person or visitor. */
export interface PersonalData extends Pick<PersonalRequest, 'user' | 'hidden' | 'sent'> {
  /** The sign-in flag of the browser for which the page was made; null for a visitor. */
  flag: string | null;
  /** The ids of the authors whom the person has muted, if there are posts on the page. */
  muted?: readonly string[] | undefined;
}

/** The page's data block. From it the browser renders the same HTML as the server. */
export interface PageData {
  settings: ClientSettings;
  /** When the page was made, unix seconds on the server's clock. */
  madeAt: number;
  /** The position in the change log up to which the page is complete. The event stream continues from it. */
  position: string;
  /** The `content` of the loaded page; undefined in a page of a closed wall for which no session was sent. */
  content: unknown;
  /** Set if the page is made for one person or visitor. */
  person?: PersonalData | undefined;
}

/** The built browser code. */
export interface PageAssets {
  /** Addresses of scripts. */
  scripts: readonly string[];
  /** Style sheets. The page contains their texts, so that nothing has to be fetched before the first paint. */
  styles: readonly { address: string; text: string }[];
  /** Addresses of further styles, which the page waits for. Members have most of them in their cache. */
  linked: readonly string[];
  /** Scripts and styles that the page needs soon. */
  ahead: readonly string[];
  /** Styles that apply after the first paint, before the scripts run. */
  late: readonly string[];
  /** The classic script that finds hidden words. Only people who hide words load it. The development server has none. */
  hiddenWords?: string;
}

export interface PageQuery {
  /** The list begins at this cursor. */
  cursor?: string | undefined;
  q?: string | undefined;
  /** Why the server does not search for visitors now: a message for people. */
  refusal?: string;
}

interface LoadedPage {
  exists: boolean;
  /** Only the web bundle knows its type. Null for a missing page. `loadPage` also gives null for a page for signed-in people. */
  content: unknown;
  movedTo?: string | undefined;
  /** The ids of the authors whom the person does not want to see. */
  muted?: readonly string[] | undefined;
}

/** The HTML of a page in three parts. The middle part has the styles and is the same string for all pages with the same assets. */
export type PageParts = readonly [before: string, shared: string, after: string];

/** The fields of a form by their names. */
export type FormFields = Readonly<Record<string, string>>;

/** A form that was sent. Its page shows it once. */
export interface SentForm {
  fields: FormFields;
  /** A message that says what was done, or why it was not. */
  message: string;
  failed: boolean;
  /** The server has refused the entered values with the status 400. */
  refused?: true;
  /** The field at which the message is shown. By default the form chooses the field. */
  field?: string;
}

/** A request for a page that is made for one person or one visitor. */
export interface PersonalRequest {
  path: string;
  query: URLSearchParams;
  /** Null for a visitor. */
  user: CurrentUser | null;
  /** Calls the API in the same process, as this person. */
  fetch: typeof fetch;
  /** Identifies the browser, like the token that scripts compute. */
  clientToken: string;
  userAgent: string;
  settings: ClientSettings;
  /** Unix seconds. */
  now: number;
  /** Hidden fields of each form. */
  hidden: FormFields;
  sent: SentForm | null;
  /** Logs an unexpected error. The person only reads that something went wrong. */
  report(error: unknown): void;
  /** The idempotency key of a text sent with this form. */
  keyFor(text: string): string;
}

/** The result of a form: the address to open, and the form that its page shows once. */
export interface FormOutcome {
  to: string;
  sent?: SentForm & { page: string };
}

/** The exports of the web build's server bundle, `dist/ssr/entry-server.js`. */
export interface PageRenderer {
  /** Runs the `load` of the page at a path. */
  loadPage(path: string, query: PageQuery, call: CallEndpoint): Promise<LoadedPage>;
  /** The whole HTML of the page, including the doctype. Without `person` in the data it is the same for everyone. */
  renderPage(data: PageData, assets: PageAssets, path: string): PageParts;
  /** The paths of all pages, with the names of their parameters in braces. */
  paths: readonly string[];
  securedPaths: readonly string[];
  /** The texts of the page's inline scripts, for the content security policy's hashes. */
  inlineScripts: readonly string[];
  personal: PersonalPages;
}

/** The pages that are made for one person or visitor. Forms are posted to such pages, except the forms of mailed links. */
interface PersonalPages {
  /** `forVisitors`: the page is also made for visitors. `writesText`: its forms may be larger than others. */
  paths: ReadonlyArray<{ path: string; forVisitors: boolean; writesText: boolean }>;
  /** The part of the build with the code and the styles of a page. All these pages also load the part `forms`. */
  partOf(path: string): 'forms' | 'join' | 'settings' | 'lists' | 'desk' | 'wall';
  load(request: PersonalRequest): Promise<LoadedPage>;
  act(request: PersonalRequest, fields: FormFields): Promise<FormOutcome>;
}

/** The cookie with the sign-in flag, which scripts can read. On https its name has the prefix `__Host-`. */
export const signInFlagCookie = 'signed-in';

export const pageDataId = 'page-data';

export const unnamedWall = 'Стена';

/** The description of the wall in search results and link previews. */
export const wallSummary = 'Лента коротких записей: читайте, отвечайте, пишите свои.';

export const userSummary = (username: string): string => `Записи пользователя ${username}.`;

export const userRepliesSummary = (username: string): string => `Ответы пользователя ${username}.`;

/** '{title} - {app name}', or only the app's name if the title is empty or the same. */
export function pageTitle(title: string, appName: string): string {
  return title === '' || title === appName ? appName : `${title} - ${appName}`;
}

/** A contact as people read and type it. */
export const shownContact = (url: string): string => url.replace(/^mailto:/, '');
