import type { ReactNode } from 'react';
import type { FoundList } from '../../features/posts/store/fetch-post-page.ts';
import type { PostListSource } from '../../features/posts/store/post-list-state.ts';
import type { PostListId } from '../../features/posts/store/post-store.ts';
import type { PageContext, PageModule, ViewProps } from '../../forms/page-module.ts';

interface ListContext extends PageContext {
  /** Loads the posts after the cursor in the address. */
  list(source: PostListSource): Promise<FoundList>;
}

interface ListPage<Data extends { list: FoundList }> extends Pick<PageModule, 'acts'> {
  load(context: ListContext): Promise<Data>;
  View(props: Omit<Data, 'list'> & { list: PostListId } & ViewProps): ReactNode;
}

/** A page of one person with posts, which go into the store. */
export const listPage = <Data extends { list: FoundList }>(module: ListPage<Data>): PageModule => module;
