import { addresses, type Address } from '#contract/addresses.ts';
import type { Page } from '../router/page.ts';
import { missingDescription } from '../router/screen.ts';
import type { Desk, DeskParams } from '../features/moderation/desk/open-desk.tsx';
import { onDemand } from '../lib/on-demand.ts';
import { notFound } from './not-found.tsx';
import { PostSkeletons } from './post-skeletons.tsx';
import { settingsSkeleton } from './settings-skeleton.tsx';

const part = onDemand(() => import('../features/keep/desk-page.ts'));

/** The pages of moderators and owners. The server refuses their calls to everybody else, who sees a page that does not exist. */
export const moderation = [
  addresses.moderation,
  addresses.moderationSection,
  addresses.moderationWaiting,
  addresses.moderationPerson,
  addresses.keep,
].map((address: Address<DeskParams>): Page<DeskParams, { desk: Desk }> => ({
  address,
  access: 'user',
  load: async (params, request) => ({ desk: await (await part.load()).openPage(address, params, request) }),
  missing: notFound,
  // Until it is loaded, nothing says that there is a desk.
  describe: ({ username }, shown) => shown?.desk ?? (username ? { heading: username } : missingDescription),
  skeleton: address === addresses.moderation ? <PostSkeletons /> : settingsSkeleton,
  Component: ({ desk: { Content } }) => <Content />,
}));
