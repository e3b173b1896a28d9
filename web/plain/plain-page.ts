import type { ReactNode } from 'react';
import { ApiError } from '#client/api-error.ts';
import type { Address } from '#contract/addresses.ts';
import type { CallEndpoint } from '#contract/endpoint.ts';
import type { FormFields, PlainOutcome, PlainRequest } from '#contract/page.ts';

export interface PlainContext<P = object> extends PlainRequest {
  params: P;
  /** As the person who is signed in, or as a visitor. */
  call: CallEndpoint;
}

export interface PlainContent {
  heading: string;
  body: ReactNode;
  status?: 404;
}

export type PlainAct<P = object> = (context: PlainContext<P>, fields: FormFields) => Promise<PlainOutcome>;

/** A page that works by links and forms alone. It is made for one person and never cached. */
export interface PlainPage<P = object> {
  address: Address<P>;
  /** `user`: visitors are sent to the sign-in. */
  access: 'public' | 'user';
  show(context: PlainContext<P>): Promise<PlainContent>;
  /** What its forms do, by the value of their field `act`. */
  acts?: Record<string, PlainAct<P>>;
}

/** Lets a page declare the type of its parameters and stand in a list with others. */
export const plainPage = <P>(page: PlainPage<P>): PlainPage => page as PlainPage;

/** Refuses what was entered, as the server would. */
export const formProblem = (message: string): ApiError => new ApiError('INVALID_REQUEST', message, 400);

/** A local path from an address, or the feed: a link must not lead to another site. */
export const localPath = (path: string | null): string =>
  path !== null && /^\/(?![/\\])[^\\\s]*$/.test(path) ? path : '/';

/** The page's own address, with its query. */
export const here = ({ path, query }: PlainRequest): string => path + (query.size > 0 ? `?${query}` : '');

interface DoneOptions {
  /** An address of the page. */
  to?: string;
  /** What its forms know from now on. */
  fields?: FormFields;
}

/** Shows the page again with words about what was done. */
export const done = (
  { path }: PlainRequest,
  message: string,
  { to = path, fields = {} }: DoneOptions = {},
): PlainOutcome => ({ to, sent: { page: path, fields, message, failed: false } });

/** An act that does something and shows the page again, with words about it. */
export const act =
  <P = object>(message: string, run: (...input: Parameters<PlainAct<P>>) => Promise<unknown>): PlainAct<P> =>
  async (context, fields) => {
    await run(context, fields);
    return done(context, message);
  };
