import { createContext } from 'react';
import type { PageData } from '#contract/page-data.ts';
import { createRequiredContext } from '../lib/required-context.ts';

/** Loads the data of the page on the screen again. */
export const [RefreshProvider, useRefresh] = createRequiredContext<() => Promise<void>>();

/** Leaves the page of a post that is about to be removed from the store. */
export const [LeaveDeletedProvider, useLeaveDeleted] = createRequiredContext<(postId: string) => void>();

/** A full page load of an address; `replaces` the current one in the history. */
export const [LoadAnewProvider, useLoadAnew] = createRequiredContext<(address: string, replaces: boolean) => void>();

/** The data that the server has sent with the document. */
export type FirstPage = Pick<PageData, 'content' | 'person'>;

export const FirstPageContext = createContext<FirstPage>({ content: undefined });

/** Whether the page is in a layer over the screen. */
export const LayerContext = createContext(false);
