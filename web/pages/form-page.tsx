import type { ReactNode } from 'react';
import type { Address } from '#contract/addresses.ts';
import type { ModeratedPerson } from '#contract/moderation-people.ts';
import type { Post } from '#contract/posts.ts';
import { ApiError } from '#client/api-error.ts';
import { type FoundList, loadList } from '../features/posts/store/fetch-post-page.ts';
import type { PostListSource } from '../features/posts/store/post-list-state.ts';
import type { PostStore } from '../features/posts/store/post-store.ts';
import type { PageContext, PageModule } from '../forms/page-module.ts';
import { explainLoading, namedOnDemand, onDemand } from '../lib/on-demand.ts';
import type { Description, Page } from '../router/page.ts';
import { NotFoundNotice } from './not-found.tsx';
import { settingsSkeleton } from './settings-skeleton.tsx';

export interface FormPageOptions<Name extends string> {
  address: Pick<Address, 'path'>;
  /** `public`: visitors may open the page too, so its module is made with `pageForAnyone`. */
  access?: 'public';
  /** The heading, or a function that makes it from the known data, both before and after `load`. */
  heading: string | ((data: PageSubject) => string | Description);
  title?: string;
  /** The form has a text. The server accepts a larger form here, so that it can return a text that is too long. */
  writesText?: true;
  /** The page is the sign-in. */
  isEntrance?: true;
  /** The page that is shown to people for whom this one does not exist. */
  missing?: Page;
  skeleton?: ReactNode;
  Frame?: Page['Frame'];
  /** Imports the file with the page's module. `name` is the name of its export. */
  file(): Promise<Record<Name, PageModule>>;
  name: Name;
}

interface PageSubject {
  post?: Post;
  title?: string;
  username?: string;
  person?: ModeratedPerson;
  people?: readonly ModeratedPerson[];
}

const postOf = ({ id = '' }: { id?: string }, store: PostStore): PageSubject => {
  const post = store.post(id);
  return post ? { post } : {};
};

const host = onDemand(() => import('./page-host.tsx'));

/** Makes a failed load of code an ApiError, which is not reported as a bug. */
const notLoaded = (error: unknown): never => {
  throw new ApiError('OFFLINE', explainLoading(error));
};

/** A row in the table of the pages that are made for one person or one visitor. Their code is not part of the first load. */
export function formPageRow<Name extends string>(options: FormPageOptions<Name>): Page {
  const {
    address,
    access = 'user',
    heading,
    title,
    writesText,
    isEntrance,
    missing,
    skeleton = settingsSkeleton,
    Frame,
    file,
    name,
  } = options;
  const module = namedOnDemand<Record<Name, PageModule>, Name>(file, name);
  const prefetch = () => Promise.all([module.load(), host.load()]).catch(notLoaded);
  return {
    address: address as Address,
    access,
    writesText,
    isEntrance,
    missing,
    ...(Frame && { Frame }),
    describe: (params, shown, store) => {
      const known = { ...params, ...postOf(params, store), ...shown?.own?.data };
      const named = typeof heading === 'string' ? heading : heading(known);
      return typeof named === 'string' ? { heading: named, title: title ?? named } : named;
    },
    skeleton,
    module,
    async load(params, { own, ...request }) {
      const [{ load }, { contextOf }] = await prefetch();
      const listOf = (source: PostListSource) => loadList(source, request);
      const context = { ...(own!.context ?? contextOf(own!)), params, list: listOf } as PageContext;
      const found: { list?: FoundList } = (await load?.(context)) ?? {};
      const { list, ...data } = found;
      return { own: { href: own!.href, data }, ...(list && { list }) };
    },
    Component({ own, list, params }) {
      if (!own) return <NotFoundNotice />;
      const { PageHost } = host.here()!;
      const shown = { own, list, params, isForVisitors: access === 'public' };
      return <PageHost key={own.href} module={module.here()!} {...shown} />;
    },
    prefetch,
  };
}
