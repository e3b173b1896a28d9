import type { ReactNode } from 'react';
import type { CurrentUser } from '#contract/account.ts';
import type { CallEndpoint } from '#contract/calls.ts';
import type { ClientSettings, FormFields, SentForm } from '#contract/page-data.ts';
import type { Post } from '#contract/posts.ts';
import { ApiError } from '#client/api-error.ts';
import type { ToastLink } from '../lib/toasts.ts';

/** What a page is loaded for and acts for. On the server `call` runs in the same process, in the browser over HTTP. */
export interface PageContext<P = object, User = CurrentUser> {
  call: CallEndpoint;
  params: P;
  /** The step of the page. */
  query: URLSearchParams;
  user: User;
  settings: ClientSettings;
  /** The name by which the browser calls itself. */
  userAgent: string;
  /** A post that the browser has already. */
  knownPost(id: string): Post | undefined;
  /** Identifies the browser. */
  clientToken(): Promise<string>;
  /** The server's clock, unix seconds. */
  now(): number;
  /** The call that was lost may have ended the session; `message` is said if it has. */
  mayEndSession(message: string): void;
  /** The idempotency key of what this form sends. */
  keyFor(content: string): string;
}

/** What an act has done, as data: the server redirects with it, the browser carries it out. */
export interface Outcome {
  /** For the person. */
  message?: string;
  /** The address to open. The page is shown again unless it is set. */
  to?: string;
  /** What the next view knows. Without a message it is a step, which a reload returns to. */
  kept?: FormFields;
  /** A form at the address `to` that is shown again with a reason. */
  refused?: Pick<SentForm, 'fields' | 'message' | 'field'>;
  /** What has changed about the person. */
  user?: Partial<CurrentUser> | { role: undefined } | { warning: undefined };
  /** Beside the message. */
  link?: ToastLink;
  /** The page below a layer follows the store: it is not loaded again. */
  isShownBelow?: true;
  /** What a keeper has decided: the id of the entry in the journal if it is one, null if there was nothing to do. */
  decision?: { id?: string | null; postId?: string; /** It cannot be taken back. */ isFinal?: true };
  /** A post whose text or rule has changed. */
  changedPost?: Post;
  /** A post that the person has just published. */
  newPost?: Post;
  /** What the person has just written waits for a moderator. */
  isHeld?: boolean;
  /** A post that is not there any more. */
  gonePostId?: string;
  /** A post that its author may take back for some minutes; so the message says. */
  deletedPostId?: string;
  /** A post whose deletion its author has taken back. */
  restoredPost?: Post;
  /** The session has ended. */
  isSignedOut?: true;
  /** A session has begun: the page is loaded anew. */
  isSignedIn?: true;
  /** The session is somebody else's now: the page is loaded anew. */
  isOtherPerson?: true;
}

/** Somebody who may be signed in. */
type Anyone = CurrentUser | null;

export type Act<P = object, User = CurrentUser> = (
  context: PageContext<P, User>,
  fields: FormFields,
) => Promise<Outcome>;

export interface ViewProps<User = CurrentUser> {
  user: User;
  /** The step of the page. */
  query: URLSearchParams;
  /** What the last act has handed on. */
  handed: FormFields;
}

/** A page of one person: the server renders it, the browser hydrates it, and its forms run its acts on both sides. */
export interface PageModule<P = object, Data extends object = object, User = CurrentUser> {
  load?(context: PageContext<P, User>): Promise<Data>;
  /** It shows what the session knows about the person, which is then kept current, too. */
  showsPerson?: true;
  View(props: Data & ViewProps<User>): ReactNode;
  /** By the value of the field `act`. */
  acts?: Record<string, Act<P, User>>;
}

export type OpenContext<P = object> = PageContext<P, Anyone>;

export type OpenView = ViewProps<Anyone>;

/** Lets a page declare its data and stand in a table with others. */
export const page = <Data extends object = object, P = object>(module: PageModule<P, Data>): PageModule =>
  module as unknown as PageModule;

/** A page that is made for a visitor too. */
export const openPage = <Data extends object = object, P = object>(module: PageModule<P, Data, Anyone>): PageModule =>
  module as unknown as PageModule;

/** An act that does something and says so. */
export const act =
  <P = object>(message: string, run: (...input: Parameters<Act<P>>) => Promise<unknown>): Act<P> =>
  async (context, fields) => {
    await run(context, fields);
    return { message };
  };

/** A refusal that stands at another field than most of the form. */
class FieldProblem extends ApiError {
  readonly field: string;

  constructor(message: string, field: string) {
    super('INVALID_REQUEST', message, 400);
    this.field = field;
  }
}

/** Refuses what was entered, as the server would. `field`: unless the form says where it stands. */
export const formProblem = (message: string, field?: string): ApiError =>
  field === undefined ? new ApiError('INVALID_REQUEST', message, 400) : new FieldProblem(message, field);

export const fieldOf = (error: unknown): Pick<SentForm, 'field'> =>
  error instanceof FieldProblem ? { field: error.field } : {};

/** A local path from an address, as a header has it, or the feed: a link must not lead to another site. */
export const localPath = (path: string | null): string =>
  path !== null && /^\/(?![/\\])[^\\\s]*$/.test(path)
    ? path.toWellFormed().replaceAll(/[^!-~]+/g, (part) => encodeURIComponent(part))
    : '/';

/** The part of a list that the query of an address names. */
export function partIn(query: URLSearchParams): { cursor?: string } {
  const cursor = query.get('cursor');
  return cursor === null ? {} : { cursor };
}

/** Runs an act of a page by its name. */
export async function runAct(
  { acts = {} }: PageModule,
  context: PageContext,
  { token: _token, ...fields }: FormFields,
): Promise<Outcome> {
  const name = fields['act'] ?? '';
  if (!Object.hasOwn(acts, name)) throw new ApiError('NOT_FOUND', 'Ничего не найдено.', 404);
  return acts[name]!(context, fields);
}
