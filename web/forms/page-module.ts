import type { ReactNode } from 'react';
import type { CurrentUser } from '#contract/account.ts';
import type { CallEndpoint } from '#contract/calls.ts';
import type { ClientSettings, FormFields, SentForm } from '#contract/page-data.ts';
import type { Post } from '#contract/posts.ts';
import { browserErrors } from '#contract/errors.ts';
import { ApiError } from '#client/api-error.ts';
import type { ToastLink } from '../lib/toasts.ts';

/** The input of a page's `load` and acts. On the server `call` runs in the same process, in the browser over HTTP. */
export interface PageContext<P = object, User = CurrentUser> {
  call: CallEndpoint;
  params: P;
  /** The query of the address. It says which step of the page is shown: with `code`, for example, the form asks for a code. */
  query: URLSearchParams;
  user: User;
  settings: ClientSettings;
  /** The name by which the browser calls itself. */
  userAgent: string;
  /** Returns a post that the browser already has. */
  knownPost(id: string): Post | undefined;
  /** Identifies the browser. */
  clientToken(): Promise<string>;
  /** The server's clock, unix seconds. */
  now(): number;
  /** Called after a lost response to a call that may have ended the session. If the session turns out to be over, `message` is shown. */
  mayEndSession(message: string): void;
  /** The idempotency key of what this form sends. */
  keyFor(content: string): string;
}

/** The result of an act as data. The server redirects with it, the browser applies it. */
export interface Outcome {
  /** The message for the person. */
  message?: string;
  /** The address to open. The page is shown again unless it is set. */
  to?: string;
  /** The fields that the next view gets as `handed`. If there is no message, the next view is a step, and a reload returns to it. */
  handed?: FormFields;
  /** A form at the address `to` that was refused and is shown again with the reason. */
  refused?: Pick<SentForm, 'fields' | 'message' | 'field'>;
  /** The changed data of the person. */
  user?: Partial<CurrentUser> | { role: undefined } | { warning: undefined };
  /** A link in the toast with the message. */
  link?: ToastLink;
  /** The page below a layer follows the store, so it is not loaded again. */
  isShownBelow?: true;
  /** The decision of a keeper. `id`: the id of its entry in the journal, if it has only one; null if there was nothing to do. */
  decision?: { id?: string | null; postId?: string; /** It cannot be taken back. */ isFinal?: true };
  /** A post whose text or rule has changed. */
  changedPost?: Post;
  /** A post that the person has just published. */
  newPost?: Post;
  /** The post that the person has just written waits for a moderator. */
  isHeld?: boolean;
  /** A post that no longer exists on the wall. */
  gonePostId?: string;
  /** A post that its author has just deleted. The toast with the message has a button that restores it. */
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
  /** The query of the address. It says which step of the page is shown: with `code`, for example, the form asks for a code. */
  query: URLSearchParams;
  /** The fields that the last act has returned as `handed`, or the fields of a refused form. */
  handed: FormFields;
}

/** A page of one person: the server renders it, the browser hydrates it, and its forms run its acts on both sides. */
export interface PageModule<P = object, Data extends object = object, User = CurrentUser> {
  load?(context: PageContext<P, User>): Promise<Data>;
  /** The page shows data of the session about the person, so the session is updated together with the page. */
  showsPerson?: true;
  View(props: Data & ViewProps<User>): ReactNode;
  /** The acts by the value of the field `act`. */
  acts?: Record<string, Act<P, User>>;
}

export type OpenContext<P = object> = PageContext<P, Anyone>;

export type OpenView = ViewProps<Anyone>;

/** Declares a page of one person. The types of its data and parameters are erased, so that all pages fit into one table. */
export const page = <Data extends object = object, P = object>(module: PageModule<P, Data>): PageModule =>
  module as unknown as PageModule;

/** A page that is made for a visitor too. */
export const pageForAnyone = <Data extends object = object, P = object>(
  module: PageModule<P, Data, Anyone>,
): PageModule => module as unknown as PageModule;

/** An act that does something and says so. */
export const act =
  <P = object>(message: string, run: (...input: Parameters<Act<P>>) => Promise<unknown>): Act<P> =>
  async (context, fields) => {
    await run(context, fields);
    return { message };
  };

/**
 * An act whose errors show the general sentence, as the specification has it, except those of these statuses, of a session that has
 * ended, and of a budget.
 */
export const sayingOnly =
  <P, User>(statuses: readonly number[], run: Act<P, User>): Act<P, User> =>
  async (context, fields) => {
    try {
      return await run(context, fields);
    } catch (error) {
      if (!(error instanceof ApiError) || [401, 429, ...statuses].includes(error.status)) throw error;
      throw new ApiError('INTERNAL', browserErrors.INTERNAL.message, error.status);
    }
  };

/** A refusal that is shown at another field than the form's usual one. */
class FieldProblem extends ApiError {
  readonly field: string;

  constructor(message: string, field: string) {
    super('INVALID_REQUEST', message, 400);
    this.field = field;
  }
}

/** A refusal of the input, like one of the server. `field`: where it is shown, if not at the form's usual field. */
export const formProblem = (message: string, field?: string): ApiError =>
  field === undefined ? new ApiError('INVALID_REQUEST', message, 400) : new FieldProblem(message, field);

export const fieldOf = (error: unknown): Pick<SentForm, 'field'> =>
  error instanceof FieldProblem ? { field: error.field } : {};

/** Returns a path of this site, encoded for a header. Any other address becomes the feed, because a link must not lead to another site. */
export const localPath = (path: string | null): string =>
  path !== null && /^\/(?![/\\])[^\\\s]*$/.test(path)
    ? path.toWellFormed().replaceAll(/[^!-~]+/g, (part) => encodeURIComponent(part))
    : '/';

/** The cursor of a list in the query of an address. */
export function cursorIn(query: URLSearchParams): { cursor?: string } {
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
